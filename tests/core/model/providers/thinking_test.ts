/** What a thinking request becomes, per provider (K-327). */
import assert from "node:assert/strict";
import type { Thinking } from "../../../../core/log/mod.ts";
import type { ModelQuirks } from "../../../../core/model/mod.ts";
import { at } from "../../../providers/mod.ts";
import { bodyOf, type Known, question } from "./rig.ts";

const ASKED: readonly Thinking[] = [false, true, "low", "medium", "high"];
const THINKS = { thinking: true } as const;

/** Only the fields named, for each thing asked. */
function sent(model: string, quirks: ModelQuirks, keys: readonly (readonly string[])[]): readonly unknown[] {
  return ASKED.map((thinking) => {
    const { body } = bodyOf(model, question({ thinking }), { quirks, info: THINKS });
    return Object.fromEntries(
      keys.map((path) => [path.at(-1), at(body, ...path)]).filter(([, value]) => value !== undefined),
    );
  });
}

Deno.test("Ollama: think is false, true or a level", () => {
  assert.deepEqual(sent("ollama:m", {}, [["think"]]), [
    { think: false },
    { think: true },
    { think: "low" },
    { think: "medium" },
    { think: "high" },
  ]);
});

Deno.test("local servers: the template is told, and a level is an effort; Qwen's highest has its own name", () => {
  const keys = [["chat_template_kwargs"], ["reasoning_effort"]];
  const on = { chat_template_kwargs: { enable_thinking: true } };
  const rows = [
    { chat_template_kwargs: { enable_thinking: false } },
    on,
    { ...on, reasoning_effort: "low" },
    { ...on, reasoning_effort: "medium" },
  ];
  const quirks = { thinkingFormat: "template" } as const;
  assert.deepEqual(sent("lmstudio:gpt-oss", quirks, keys), [...rows, { ...on, reasoning_effort: "high" }]);
  assert.deepEqual(sent("vllm:Qwen3-8B", quirks, keys), [...rows, { ...on, reasoning_effort: "xhigh" }]);
});

Deno.test("Anthropic: budgets of 2048, 8000 and 16000, the middle one for true", () => {
  assert.deepEqual(sent("anthropic:m", {}, [["thinking"]]), [
    { thinking: { type: "disabled" } },
    ...[8000, 2048, 8000, 16_000].map((budget_tokens) => ({ thinking: { type: "enabled", budget_tokens } })),
  ]);
});

Deno.test("Anthropic: adaptive models are told an effort and no budget", () => {
  const adaptive = { thinking: { type: "adaptive", display: "summarized" } };
  assert.deepEqual(sent("anthropic:m", { adaptiveThinking: true }, [["thinking"], ["output_config"]]), [
    { thinking: { type: "disabled" } },
    adaptive,
    ...["low", "medium", "high"].map((effort) => ({ ...adaptive, output_config: { effort } })),
  ]);
});

Deno.test("Anthropic: max_tokens is raised to fit the budget, and only then", () => {
  const limit = (max_tokens: number | undefined, thinking: Thinking, info: Known["info"] = {}) => {
    const request = question({ thinking, generation: max_tokens === undefined ? {} : { max_tokens } });
    return at(bodyOf("anthropic:m", request, { quirks: {}, info: { ...THINKS, ...info } }).body, "max_tokens");
  };
  assert.equal(limit(777, false), 777);
  assert.equal(limit(777, "low"), 2825);
  assert.equal(limit(2048, "low"), 4096);
  assert.equal(limit(2049, "low"), 2049);
  assert.equal(limit(undefined, false), 1024);
  assert.equal(limit(undefined, false, { maxOutput: 8192 }), 8192);
  assert.equal(limit(undefined, false, { maxOutput: 128_000 }), 32_000);
});

Deno.test("OpenAI responses: an effort with a summary, and the encrypted thinking is asked for", () => {
  assert.deepEqual(
    sent("openai:m", { levels: { off: "none" } }, [["reasoning"], ["include"]]),
    [
      { effort: "none" },
      {},
      { effort: "low" },
      { effort: "medium" },
      { effort: "high" },
    ].map((effort, index) => ({
      reasoning: index === 0 ? effort : { ...effort, summary: "auto" },
      include: ["reasoning.encrypted_content"],
    })),
  );
});

Deno.test("OpenAI chat, Groq, DeepSeek and OpenRouter each have their own words", () => {
  const chat = (quirks: ModelQuirks) =>
    sent("openai-chat:m", quirks, [["reasoning_effort"], ["reasoning_format"], ["thinking"], ["reasoning"]]);
  assert.deepEqual(chat({ levels: { off: "none" } }), [
    { reasoning_effort: "none" },
    {},
    { reasoning_effort: "low" },
    { reasoning_effort: "medium" },
    { reasoning_effort: "high" },
  ]);
  assert.deepEqual(chat({ thinkingFormat: "groq", levels: { off: "none", high: "default" } }).at(-1), {
    reasoning_format: "parsed",
    reasoning_effort: "default",
  });
  assert.deepEqual(chat({ thinkingFormat: "deepseek" }).slice(0, 3), [
    { thinking: { type: "disabled" } },
    { thinking: { type: "enabled" } },
    { thinking: { type: "enabled" }, reasoning_effort: "low" },
  ]);
  assert.deepEqual(chat({ thinkingFormat: "openrouter" }).slice(0, 3), [
    { reasoning: { effort: "none" } },
    { reasoning: { enabled: true } },
    { reasoning: { effort: "low" } },
  ]);
});

Deno.test("Gemini: thoughts are asked for, with a budget or a named level", () => {
  const path = [["generationConfig", "thinkingConfig"]];
  const config = (model: string, quirks: ModelQuirks) =>
    sent(model, quirks, path).map((each) => at(each, "thinkingConfig"));
  assert.deepEqual(config("google:gemini-flash", {}), [
    { thinkingBudget: 0 },
    { includeThoughts: true },
    { includeThoughts: true, thinkingBudget: 2048 },
    { includeThoughts: true, thinkingBudget: 8000 },
    { includeThoughts: true, thinkingBudget: 16_000 },
  ]);
  assert.deepEqual(config("google:gemini-pro", {})[0], { thinkingBudget: 128 });
  assert.deepEqual(config("google:m", { levels: { high: "HIGH" } }), [
    { thinkingLevel: "minimal" },
    { includeThoughts: true },
    { includeThoughts: true, thinkingLevel: "low" },
    { includeThoughts: true, thinkingLevel: "medium" },
    { includeThoughts: true, thinkingLevel: "HIGH" },
  ]);
});

const MODELS = ["openai-chat:m", "openai:m", "anthropic:m", "ollama:m", "google:m", "lmstudio:m"];

Deno.test("nothing asked sends nothing", () => {
  for (const model of MODELS) {
    const { text } = bodyOf(model, question(), { quirks: {}, info: THINKS });
    assert.ok(!/think(?!ing"\])|effort|"reasoning"/i.test(text.replace("reasoning.encrypted_content", "")), text);
  }
});

Deno.test("a model that is not known to think is not asked to, and the warning names the flag", () => {
  for (const model of MODELS) {
    const without = bodyOf(model, question(), { quirks: {} }).text;
    const { text, warnings } = bodyOf(model, question({ thinking: "high" }), { quirks: {} });
    assert.equal(text, without);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /add ;thinking/);
    assert.deepEqual(bodyOf(model, question({ thinking: false }), { quirks: {} }), {
      body: JSON.parse(without),
      text: without,
      warnings: [],
    });
  }
});

Deno.test("a level that the model does not have counts as true, with a warning", () => {
  for (const model of MODELS) {
    const known: Known = { quirks: { levels: { low: null } }, info: THINKS };
    const { text, warnings } = bodyOf(model, question({ thinking: "low" }), known);
    assert.equal(text, bodyOf(model, question({ thinking: true }), known).text);
    assert.match(warnings.join(), /no thinking level "low"/);
  }
});

Deno.test("a model that cannot stop thinking is warned about, and left alone", () => {
  for (const model of MODELS) {
    const known: Known = { quirks: { levels: { off: null } }, info: THINKS };
    const { text, warnings } = bodyOf(model, question({ thinking: false }), known);
    assert.equal(text, bodyOf(model, question(), known).text);
    assert.match(warnings.join(), /cannot stop thinking/);
  }
});

Deno.test(";effort= stands in when nobody asked, and a request beats it", () => {
  const effort = (thinking?: Thinking) =>
    at(bodyOf("ollama:m;thinking,effort=high", question(thinking === undefined ? {} : { thinking })).body, "think");
  assert.equal(effort(), "high");
  assert.equal(effort("low"), "low");
  assert.equal(effort(false), false);
});

Deno.test("structured output is asked for without thinking where the model can go without (K-141)", () => {
  const schema = { name: "title", schema: { type: "object" } };
  const ask = (quirks: ModelQuirks) =>
    bodyOf("ollama:m", question({ schema, thinking: "high" }), { quirks, info: THINKS });
  assert.equal(at(ask({}).body, "think"), false);
  assert.equal(at(ask({ levels: { off: null } }).body, "think"), undefined);
  assert.deepEqual(ask({ levels: { off: null } }).warnings, []);
});
