import assert from "node:assert/strict";
import { z } from "zod";
import { ConfigError, loadConfig } from "../../../../core/config/mod.ts";
import { declarationProblems } from "../../../../core/declared.ts";
import { defineToolset, tool } from "../../../../core/tool/mod.ts";
import { reviewerWarnings } from "../../../../core/turn/approvals/start_checks.ts";
import { ConfigFolder } from "../../config/config_on_disk.ts";

const mail = defineToolset({
  name: "mail",
  description: "Mail",
  tools: () =>
    ["send", "read"].map((name) => tool({ name, description: name, input: z.object({}), run: () => "done" })),
});

/** Reads a config as the product does. */
async function load(text: string) {
  await using folder = await ConfigFolder.make();
  await folder.write(text);
  return await loadConfig({ ...folder.source, checks: [(config) => declarationProblems(config, [mail])] });
}

/** The sentence a start is refused with, with its place in the file. */
async function refusal(text: string): Promise<string> {
  try {
    await load(text);
  } catch (error) {
    if (error instanceof ConfigError) {
      return `${error.line} [${error.section}].${error.key}: ${error.problems[0]?.message}`;
    }
    throw error;
  }
  return "accepted";
}

const AGENT = '[agents.assistant.tools]\navailable = ["mail"]\n';
const GATED = `${AGENT}confirm = ["mail"]\nreview = ["mail.send"]\n`;
const REVIEWED = `${GATED}[security.auto_approval]\nenabled = true\nreviewers = ["careful"]\n`;
const CAREFUL = '[reviewers.careful]\nsystem_message = "Be careful"\nmodel = "openai:gpt-5"\n';

Deno.test("the shipped gates start with whatever toolsets there are (K-188)", async () => {
  const config = await load(AGENT);
  assert.ok(config.assistant.tools.confirm.includes("skills.add_skill_script"));
});

Deno.test("a gate that matches nothing refuses the start, with its line, its table and what to write (K-182)", async () => {
  assert.match(
    await refusal(`${AGENT}confirm = ["mail.sned"]\n`),
    /^3 \[agents\.assistant\.tools\]\.confirm: .*"mail\.send"\?/,
  );
  assert.match(await refusal(`${AGENT}confirm = ["send"]\n`), /write "mail\.send"/);
  assert.match(
    await refusal(`${AGENT}[assistant.tools]\nconfirm = ["fs_write", "web"]\n`),
    /^4 \[assistant\.tools\]\.confirm: "web" matches nothing/,
  );
  assert.match(
    await refusal(`${AGENT}[security]\nnever_auto_approve = ["mail.sned"]\n`),
    /\[security\]\.never_auto_approve/,
  );
});

Deno.test("a toolset that is to come may be gated before its tools are known (K-184)", async () => {
  const server = '[[mcp.server]]\nname = "linear"\nurl = "https://linear.example/mcp"\n';
  const all = '[agents.assistant.tools]\navailable = "all"\nconfirm = ["linear.create_issue"]\n';
  assert.equal(await refusal(all + server), "accepted");
  assert.match(await refusal(all), /"linear\.create_issue" matches nothing/);
});

Deno.test("reviewers are accepted when all is in order (K-206)", async () => {
  assert.equal(await refusal(REVIEWED + CAREFUL), "accepted");
});

Deno.test("enabled with no reviewer, one that is not declared, a blank standard, one that thinks (K-206)", async () => {
  assert.match(await refusal(`${GATED}[security.auto_approval]\nenabled = true\n`), /no reviewer is named/);
  assert.match(await refusal(REVIEWED), /names no reviewer: there is no \[reviewers\.careful\]/);
  assert.match(await refusal(`${REVIEWED}[reviewers.careful]\nsystem_message = "  "\n`), /\.system_message.*is needed/);
  assert.match(
    await refusal(`${REVIEWED + CAREFUL}thinking = true\n`),
    /\.thinking.*cannot be set on an approval reviewer/,
  );
  assert.equal(await refusal(`[assistant]\nthinking = true\n${REVIEWED + CAREFUL}`), "accepted", "inherited is fine");
});

Deno.test("a review list that matches nothing, that no gate covers, or that stands on the floor (K-206)", async () => {
  const with_ = (lists: string, rest = "") => refusal(`${AGENT}${lists}${rest}`);
  assert.match(await with_('confirm = ["mail"]\nreview = ["mail.fly"]\n'), /^4 .*\.review: "mail\.fly" names no tool/);
  assert.match(
    await with_('review = ["mail.send"]\n'),
    /^3 .*\.review: .*which no gate covers: add "mail\.send" to confirm/,
  );
  assert.match(
    await with_('confirm = ["mail"]\nreview = ["mail"]\n', '[security]\nnever_auto_approve = ["mail.send"]\n'),
    /mail\.send, which \[security\]\.never_auto_approve/,
  );
});

Deno.test("a demonstration cannot review, its own model or the default one (K-206)", async () => {
  const demo = CAREFUL.replace("openai:gpt-5", "demo:tour");
  assert.match(await refusal(REVIEWED + demo), /\[reviewers\.careful\]\.model: names a demonstration/);
  const own = CAREFUL.replace(/model.*\n/, "");
  assert.match(
    await refusal(`[assistant]\nmodel = "demo:tour"\n${REVIEWED}${own}`),
    /is a demonstration and cannot judge a call/,
  );
  assert.equal(await refusal(`${GATED}${demo}`), "accepted", "while auto-approval is off it judges nothing");
});

Deno.test("a declared model is always checked, used or not (K-206)", async () => {
  assert.match(await refusal(`${AGENT}[reviewers.plan]\nmodel = "nonsense"\n`), /\[reviewers\.plan\]\.model: /);
});

Deno.test("a reviewer on the model it judges is warned of, and so are lists nobody reviews (K-206)", async () => {
  const config = await load(REVIEWED + CAREFUL);
  assert.match(reviewerWarnings(config, "openai:gpt-5")[0]!, /"careful" is the same model as the agent it judges/);
  assert.deepEqual(reviewerWarnings(config, "anthropic:claude-sonnet-5"), []);
  const inherits = await load(REVIEWED + CAREFUL.replace(/model.*\n/, ""));
  assert.match(reviewerWarnings(inherits, "demo:tour")[0]!, /demonstration as its model and approves nothing/);
  assert.match(reviewerWarnings(await load(GATED), "openai:gpt-5")[0]!, /enabled is false: a person is asked for each/);
  assert.deepEqual(reviewerWarnings(await load(AGENT), "openai:gpt-5"), []);
});
