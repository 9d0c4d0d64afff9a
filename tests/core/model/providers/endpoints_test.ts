import assert from "node:assert/strict";
import { parseModelString, PROVIDERS } from "../../../../core/model/mod.ts";
import { hostOf, isLoopback, splitCredentials } from "../../../../core/model/providers/endpoints.ts";
import { keyVariables, providerAddress, providerKey } from "../../../../core/model/providers/mod.ts";

const address = (text: string, env: Record<string, string> = {}) =>
  providerAddress(parseModelString(text), (name) => env[name]);

Deno.test("providerAddress() knows where local servers listen (K-323)", () => {
  assert.equal(address("ollama:m"), "http://localhost:11434");
  assert.equal(address("lmstudio:m"), "http://localhost:1234/v1");
  assert.equal(address("llamacpp:m"), "http://localhost:8080/v1");
  assert.equal(address("vllm:m"), "http://localhost:8000/v1");
});

Deno.test("providerAddress() has an https address for every provider elsewhere", () => {
  const local = ["demo", "ollama", "lmstudio", "llamacpp", "vllm", "openai-compat"];
  for (const provider of PROVIDERS.filter((each) => !local.includes(each))) {
    assert.match(address(`${provider}:m`), /^https:\/\/[^/]+\/.*v1/);
  }
});

Deno.test("providerAddress() adds the version to a bare host and leaves a path alone", () => {
  assert.equal(address("openai-compat:m@http://gpu:8000"), "http://gpu:8000/v1");
  assert.equal(address("openai-compat:m@http://gpu:8000/serve/api"), "http://gpu:8000/serve/api");
  assert.equal(address("anthropic:m@https://proxy.example/"), "https://proxy.example/v1");
  assert.equal(address("google:m@https://proxy.example"), "https://proxy.example/v1beta");
});

Deno.test("providerAddress() takes Ollama's own paths off its address", () => {
  for (const end of ["", "/", "/api", "/v1"]) {
    assert.equal(address(`ollama:m@http://gpu:11434${end}`), "http://gpu:11434");
  }
  assert.equal(address("ollama:m@http://gpu:11434/proxied"), "http://gpu:11434/proxied");
});

Deno.test("OLLAMA_HOST is read as Ollama's own client reads it, and the model string beats it", () => {
  const cases: Readonly<Record<string, string>> = {
    "gpu": "http://gpu:11434",
    "gpu:1234": "http://gpu:1234",
    ":1234": "http://localhost:1234",
    "0.0.0.0": "http://localhost:11434",
    "0.0.0.0:9": "http://localhost:9",
    "[::]:9": "http://localhost:9",
    "http://gpu": "http://gpu",
    "https://gpu:443/ollama/": "https://gpu/ollama",
    "  ": "http://localhost:11434",
  };
  for (const [value, expected] of Object.entries(cases)) {
    assert.equal(address("ollama:m", { OLLAMA_HOST: value }), expected, value);
  }
  assert.equal(address("ollama:m@http://own:1", { OLLAMA_HOST: "gpu" }), "http://own:1");
  assert.equal(address("lmstudio:m", { OLLAMA_HOST: "gpu" }), "http://localhost:1234/v1");
});

Deno.test("providerAddress() throws for a model that has none", () => {
  assert.throws(() => address("demo:tour"), /has no address/);
});

Deno.test("keyVariables() names a variable for every provider but the demonstration", () => {
  assert.deepEqual(keyVariables("demo"), []);
  assert.deepEqual(keyVariables("google"), ["GEMINI_API_KEY", "GOOGLE_API_KEY"]);
  assert.deepEqual(keyVariables("openai-chat"), ["OPENAI_API_KEY"]);
  for (const provider of PROVIDERS.filter((each) => each !== "demo")) {
    assert.ok(keyVariables(provider).every((name) => /^[A-Z_]+_API_KEY$/.test(name)), provider);
    assert.ok(keyVariables(provider).length > 0, provider);
  }
});

Deno.test("providerKey() takes the first variable that holds something", () => {
  const env = (values: Record<string, string>) => (name: string) => values[name];
  assert.equal(providerKey("google", env({ GOOGLE_API_KEY: "b" })), "b");
  assert.equal(providerKey("google", env({ GEMINI_API_KEY: " a ", GOOGLE_API_KEY: "b" })), "a");
  assert.equal(providerKey("google", env({ GEMINI_API_KEY: "", GOOGLE_API_KEY: "b" })), "b");
  assert.equal(providerKey("anthropic", env({})), undefined);
});

Deno.test("isLoopback() knows this machine and nothing else", () => {
  for (const url of ["http://localhost:1", "http://127.0.0.1", "http://127.9.9.9:2", "http://[::1]:3"]) {
    assert.ok(isLoopback(url), url);
  }
  for (const url of ["http://gpu:1", "http://128.0.0.1", "http://localhost.example", "nonsense"]) {
    assert.ok(!isLoopback(url), url);
  }
});

Deno.test("splitCredentials() takes a name and password out of an address", () => {
  assert.deepEqual(splitCredentials("http://me:p%40ss@gpu:1/v1"), {
    address: "http://gpu:1/v1",
    authorization: `Basic ${btoa("me:p@ss")}`,
  });
  assert.deepEqual(splitCredentials("http://gpu:1/v1"), { address: "http://gpu:1/v1" });
  assert.equal(hostOf("http://gpu:1/v1"), "gpu:1");
});
