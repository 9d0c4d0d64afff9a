import assert from "node:assert/strict";
import type { Setting } from "../../../core/config/mod.ts";
import { withoutEffect } from "../../../core/config/in_effect.ts";

const written = (...names: string[]): Setting[] =>
  names.map((name) => ({ name, value: 1, hot: false, source: "file" }));

Deno.test("withoutEffect() says nothing of settings that are acted on", () => {
  const names = ["assistant.model", "agents.assistant.tools.available", 'agents."a.b".model', "web.port", "time.zone"];
  assert.deepEqual(withoutEffect(written(...names, 'prices."openai:gpt-5".input'), ["time"]), []);
});

Deno.test("withoutEffect() names what is written and does nothing yet", () => {
  assert.deepEqual(withoutEffect(written("web.port", "planning.plan_review", "agents.coder.plugins"), []), [
    "This version does nothing yet with planning.plan_review, agents.coder.plugins",
  ]);
});

Deno.test("withoutEffect() says nothing of gates: every one of them holds", () => {
  const lists = ["assistant.tools.confirm", "agents.coder.tools.review", "security.never_auto_approve"];
  assert.deepEqual(
    withoutEffect(written(...lists, "security.auto_approval.enabled", "reviewers.careful.model"), []),
    [],
  );
});

Deno.test("withoutEffect() does not speak of defaults", () => {
  assert.deepEqual(
    withoutEffect([{ name: "planning.plan_review", value: false, hot: true, source: "default" }], []),
    [],
  );
});
