import assert from "node:assert/strict";
import { listModels, type ModelListOptions, sourceOfDefault } from "../../../core/model/mod.ts";

function list(options: Partial<ModelListOptions> = {}, keys: readonly string[] = []) {
  const env = (name: string) => keys.includes(name) ? "key" : undefined;
  return listModels({ chosen: "demo:tour", declared: [], served: [], prices: {}, env, ...options });
}

const providers = (models: ReturnType<typeof list>) => [...new Set(models.map(({ provider }) => provider))];

Deno.test("listModels() lists the catalogue of providers that have a key", () => {
  assert.deepEqual(providers(list()), ["demo"]);
  assert.deepEqual(providers(list({}, ["OPENAI_API_KEY"])), ["demo", "openai"]);
  assert.deepEqual(providers(list({}, ["ANTHROPIC_API_KEY", "MISTRAL_API_KEY"])), ["demo", "anthropic", "mistral"]);
});

Deno.test("listModels() lists the catalogue of a provider in use, and says which key it lacks", () => {
  const models = list({ chosen: "anthropic:claude-opus-5", declared: ["google:gemini-2.5-pro;thinking=false"] });
  assert.deepEqual(providers(models), ["anthropic", "google", "demo"]);
  assert.deepEqual([models[0]?.string, models[0]?.source, models[0]?.needs_key], [
    "anthropic:claude-opus-5",
    "configured",
    "ANTHROPIC_API_KEY",
  ]);
  assert.equal(models.filter(({ string }) => string === "anthropic:claude-opus-5").length, 1);
  assert.ok(models.some(({ source, provider }) => source === "catalogue" && provider === "google"));
});

Deno.test("listModels() lists every provider's catalogue when all are asked for", () => {
  const models = list({ all: true });
  for (const provider of ["anthropic", "openai", "google", "mistral", "groq", "deepseek", "openrouter"]) {
    const [first] = models.filter((model) => model.provider === provider);
    assert.ok(first?.needs_key, provider);
    assert.equal(first.reachable, null);
  }
});

Deno.test("listModels() tells windows and prices, the configured price over the catalogue's, and none where it is not known", () => {
  const prices = { "anthropic:claude-opus-5": { input: 1, output: 2 } };
  const models = list({ chosen: "ollama:own", prices }, ["ANTHROPIC_API_KEY"]);
  const opus = models.find(({ string }) => string === "anthropic:claude-opus-5");
  assert.deepEqual(opus?.price, { input: 1, output: 2 });
  const other = models.find(({ source, string }) => source === "catalogue" && string !== opus?.string);
  assert.ok(other?.context_window && other.price && other.price.output > 0);
  assert.equal(models[0]?.price, undefined);
});

Deno.test("listModels() says of a local model that its server answers", () => {
  const served = {
    string: "ollama:own;tools=true",
    provider: "ollama" as const,
    id: "own",
    server: "Ollama",
    address: "http://localhost:11434",
  };
  const [chosen, local] = list({ chosen: "ollama:own", served: [served] });
  assert.deepEqual([chosen?.source, chosen?.reachable], ["configured", true]);
  assert.deepEqual([local?.string, local?.source, local?.reachable], [served.string, "local", true]);
  assert.equal(list({ chosen: "ollama:gone" })[0]?.reachable, null);
});

Deno.test("sourceOfDefault() says where the default came from in the words of the list", () => {
  const all = (["flag", "config", "environment", "local", "demo"] as const).map(sourceOfDefault);
  assert.deepEqual(all, ["configured", "configured", "configured", "local", "demo"]);
});
