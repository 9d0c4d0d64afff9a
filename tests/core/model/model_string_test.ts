import assert from "node:assert/strict";
import fc from "fast-check";
import {
  abilityFlag,
  BadModelString,
  formatModelString,
  isLocalProvider,
  type ModelString,
  parseModelString,
  type ProviderName,
  PROVIDERS,
} from "../../../core/model/mod.ts";

/** The message of the error a string gives. */
function problemOf(text: string, where?: string): string {
  try {
    parseModelString(text);
  } catch (error) {
    assert.ok(error instanceof BadModelString, `threw ${error}`);
    return where === undefined ? error.message : new BadModelString(text, error.problem, where).message;
  }
  throw new Error(`"${text}" was read`);
}

const READ: readonly (readonly [string, Partial<ModelString>])[] = [
  ["demo:tour", { provider: "demo", id: "tour", flags: {} }],
  ["demo:tour;tps=0", { provider: "demo", id: "tour", flags: { tps: "0" } }],
  ["demo:script@./a/turns.jsonl", { provider: "demo", id: "script", baseUrl: "./a/turns.jsonl" }],
  ["ollama:qwen3:8b", { provider: "ollama", id: "qwen3:8b", flags: {} }],
  ["ollama:qwen3:8b@http://gpu:11434;tools,thinking", {
    provider: "ollama",
    id: "qwen3:8b",
    baseUrl: "http://gpu:11434",
    flags: { tools: true, thinking: true },
  }],
  ["openrouter:z-ai/glm-4.7:free;effort=high", {
    provider: "openrouter",
    id: "z-ai/glm-4.7:free",
    flags: { effort: "high" },
  }],
  ["anthropic:claude-sonnet-4@20250514", { provider: "anthropic", id: "claude-sonnet-4@20250514" }],
  ["google:a@b@https://proxy.example/v1/", { id: "a@b", baseUrl: "https://proxy.example/v1" }],
  ["openai-compat:m@http://user:pw@host:8080/v1", { id: "m", baseUrl: "http://user:pw@host:8080/v1" }],
  ["openai-compat:org/m@http://[::1]:8080/v1;tools=false;vision", {
    id: "org/m",
    baseUrl: "http://[::1]:8080/v1",
    flags: { tools: "false", vision: true },
  }],
  ['vllm:m;extra.stop=["a,b","c;d"],extra.seed=7', {
    id: "m",
    flags: { "extra.stop": '["a,b","c;d"]', "extra.seed": "7" },
  }],
  ['vllm:m;extra.x={"k":"}\\""};tools', { flags: { "extra.x": '{"k":"}\\""}', tools: true } }],
  ["  openai:gpt-5  ", { string: "openai:gpt-5", id: "gpt-5" }],
];

for (const [text, expected] of READ) {
  Deno.test(`parseModelString() reads ${text}`, () => {
    const parsed = parseModelString(text);
    for (const [key, value] of Object.entries(expected)) {
      assert.deepEqual(parsed[key as keyof ModelString], value, key);
    }
  });
}

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ["", /provider:model, such as ollama:qwen3:8b/],
  ["   ", /provider:model/],
  ["gpt-5", /such as openai:gpt-5\. The providers are demo, openai/],
  ["claude-opus-5", /such as anthropic:claude-opus-5/],
  ["gemini-3.5-flash", /such as google:gemini-3\.5-flash/],
  ["qwen3", /such as ollama:qwen3/],
  ["openai", /such as openai:<model>/],
  ["olama:qwen3:8b", /no provider "olama", did you mean ollama:qwen3:8b\./],
  ["OpenAI:gpt-5", /did you mean openai:gpt-5/],
  ["lm-studio:x", /did you mean lmstudio:x/],
  ["llama.cpp:x", /did you mean llamacpp:x/],
  ["gemini:x", /did you mean google:x/],
  ["claude:opus", /did you mean anthropic:opus/],
  ["zzzzzzzzz:x", /no provider "zzzzzzzzz"\. The providers are/],
  ["openai:", /name a model after "openai:"/],
  ["openai:@https://x.example", /name a model/],
  ["openai:my model", /no spaces/],
  ["ollama:a\u0000b", /no spaces/],
  ["openai-compat:m", /say where it runs, as in openai-compat:m@http/],
  ["ollama:qwen3@gpu:11434", /with a scheme, @http:\/\/gpu:11434/],
  ["ollama:m@http://", /is not an address/],
  ["ollama:m@http://a b", /is not an address/],
  ["demo:nothing", /demo:tour, demo:echo and demo:script@<file>/],
  ["demo:script", /name the file/],
  ["demo:script@", /name the file/],
  ["demo:tour@http://x", /takes no address/],
  ["ollama:m;tool", /no flag "tool", did you mean "tools"/],
  ["ollama:m;zzz", /no flag "zzz"\. The flags are tools, thinking/],
  ["ollama:m;tools=yes", /is written ;tools or ;tools=false/],
  ["ollama:m;effort=max", /one of ;effort=low/],
  ["ollama:m;effort", /one of ;effort=low/],
  ["ollama:m;context=lots", /needs a whole number/],
  ["ollama:m;context", /needs a whole number/],
  ["ollama:m;extra.stop=abc", /is not JSON/],
  ["ollama:m;extra.=1", /no flag "extra\."/],
];

for (const [text, message] of REFUSED) {
  Deno.test(`parseModelString() refuses ${JSON.stringify(text)}`, () => assert.match(problemOf(text), message));
}

Deno.test("BadModelString names the place it was written in", () => {
  assert.match(problemOf("gpt-5", "MALAMA_MODEL"), /^MALAMA_MODEL: "gpt-5" is not a model: write it as/);
});

Deno.test("BadModelString ends without a full stop or an exclamation mark, whatever was wrong", () => {
  for (const [text] of REFUSED) assert.doesNotMatch(problemOf(text), /[.!]$/);
});

const ability = fc.constantFrom("tools", "thinking", "vision", "audio", "structured", "think_tags");
const flags = fc.record({
  abilities: fc.dictionary(ability, fc.constantFrom("true", "false", true as const), { maxKeys: 4 }),
  values: fc.dictionary(fc.constantFrom("context", "max_output", "tps"), fc.nat(999_999).map(String), { maxKeys: 2 }),
  extras: fc.dictionary(
    fc.stringMatching(/^[a-z_]{1,8}$/).map((key) => `extra.${key}`),
    fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
    { maxKeys: 2 },
  ),
}).map((parts) => ({ ...parts.abilities, ...parts.values, ...parts.extras }));
const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._/:@-]{0,30}[A-Za-z0-9]$/)
  .filter((text) => !/@https?:\/\//.test(text) && !/@[^@/\s]+:\d{2,5}/.test(text));
const address = fc.tuple(
  fc.constantFrom("http", "https"),
  fc.domain(),
  fc.option(fc.integer({ min: 1, max: 65535 }), { nil: undefined }),
  fc.constantFrom("", "/v1", "/a/b"),
).map(([scheme, host, port, path]) => `${scheme}://${host}${port === undefined ? "" : `:${port}`}${path}`);

Deno.test("formatModelString() and parseModelString() are each other's reverse", () => {
  const networked = PROVIDERS.filter((provider) => provider !== "demo");
  fc.assert(fc.property(fc.constantFrom(...networked), id, fc.option(address), flags, (provider, name, at, given) => {
    const baseUrl = at ?? (provider === "openai-compat" ? "http://localhost:1/v1" : undefined);
    const parts = { provider, id: name, flags: given, ...(baseUrl === undefined ? {} : { baseUrl }) };
    const { string, ...parsed } = parseModelString(formatModelString(parts));
    assert.deepEqual(parsed, parts);
    assert.equal(formatModelString(parseModelString(string)), string);
  }));
});

Deno.test("parseModelString() throws nothing but BadModelString, whatever it is given", () => {
  const piece = fc.constantFrom(
    "demo",
    "ollama",
    ":",
    "@",
    ";",
    ",",
    "=",
    "http://",
    "extra.a",
    "{",
    '"',
    "[",
    "x",
    " ",
  );
  const text = fc.oneof(fc.string(), fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")));
  fc.assert(fc.property(text, (given) => {
    try {
      const parsed = parseModelString(given);
      assert.deepEqual(parseModelString(parsed.string), parsed);
    } catch (error) {
      assert.ok(error instanceof BadModelString, String(error));
    }
  }));
});

Deno.test("abilityFlag() tells set, unset and not said apart", () => {
  assert.equal(abilityFlag(parseModelString("ollama:m;tools"), "tools"), true);
  assert.equal(abilityFlag(parseModelString("ollama:m;tools=true"), "tools"), true);
  assert.equal(abilityFlag(parseModelString("ollama:m;tools=false"), "tools"), false);
  assert.equal(abilityFlag(parseModelString("ollama:m"), "tools"), undefined);
});

Deno.test("isLocalProvider() is true for servers a person runs, and for none in the cloud", () => {
  const local: readonly ProviderName[] = ["openai-compat", "ollama", "lmstudio", "llamacpp", "vllm"];
  for (const provider of PROVIDERS) assert.equal(isLocalProvider(provider), local.includes(provider), provider);
});
