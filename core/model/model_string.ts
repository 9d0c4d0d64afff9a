/**
 * Model strings: `provider:model[@base_url][;flags]` (K-321).
 *
 * The rules, in order: flags begin at the first `;` and are parted by `;` or `,` (a JSON value keeps its own); an address is
 * a trailing `@http://…` or `@https://…`, so that an id may hold an `@`; the provider ends at the first `:` of what is left.
 *
 * Invariants
 * 1. `parseModelString(formatModelString(parts))` gives the parts back (tests/core/model/model_string_test.ts).
 * 2. What cannot be a model string throws `BadModelString`, never anything else (same file).
 *
 * @module
 */
import { nearest } from "../config/mod.ts";

/** The providers a model string may name (CONFIG.md). The last seven are addresses of an OpenAI-compatible server. */
export const PROVIDERS = [
  "demo",
  "openai",
  "openai-chat",
  "openai-compat",
  "anthropic",
  "google",
  "ollama",
  "lmstudio",
  "llamacpp",
  "vllm",
  "openrouter",
  "groq",
  "deepseek",
  "mistral",
] as const;

/** One of `PROVIDERS`. */
export type ProviderName = typeof PROVIDERS[number];

/** The flags that say what an ad-hoc model can do, or switch a way of reading it; bare, or `=true`, or `=false`. */
export const ABILITY_FLAGS = ["tools", "thinking", "vision", "audio", "structured", "think_tags"] as const;

/**
 * Flags with a value: `effort` (`low`, `medium`, `high`: the thinking level when nobody asks for another), `context` and
 * `max_output` (tokens), `tps` (the demo's pace in words a second; 0 is at once).
 */
export const VALUE_FLAGS = ["effort", "context", "max_output", "tps"] as const;

/** A model string, taken apart. */
export interface ModelString {
  /** As it was written. */
  readonly string: string;
  readonly provider: ProviderName;
  readonly id: string;
  /** Without a trailing slash. For `demo:script` it is the path of the script. */
  readonly baseUrl?: string;
  /** Bare flags are `true`; `k=v` keeps its text. Known: `ABILITY_FLAGS`, `VALUE_FLAGS`, and `extra.<key>=<json>` for the body. */
  readonly flags: Readonly<Record<string, string | true>>;
}

/** A model string that cannot be read; the message shows a right one and, where there is one, the nearest. */
export class BadModelString extends Error {
  override readonly name = "BadModelString";
  /** `where` is the place it was written, such as `MALAMA_MODEL` or `[agents.scout] model`. */
  constructor(readonly text: string, readonly problem: string, readonly where?: string) {
    super(`${where === undefined ? "" : `${where}: `}"${text}" is not a model: ${problem}`);
  }
}

/** What is wrong with a model string, a sentence; `null` when it can be read. */
export function modelProblem(text: string): string | null {
  try {
    parseModelString(text);
    return null;
  } catch (error) {
    if (error instanceof BadModelString) return error.message;
    throw error;
  }
}

/** Takes a model string apart. Throws `BadModelString` (K-029: offline, without a client or a key). */
export function parseModelString(text: string): ModelString {
  const trimmed = text.trim();
  if (trimmed === "") throw new BadModelString(text, `write it as provider:model, such as ollama:qwen3:8b`);
  const semicolon = trimmed.indexOf(";");
  const body = semicolon < 0 ? trimmed : trimmed.slice(0, semicolon);
  const flags = readFlags(text, semicolon < 0 ? "" : trimmed.slice(semicolon + 1));
  const colon = body.indexOf(":");
  const provider = readProvider(text, body, colon);
  const { id, baseUrl } = provider === "demo"
    ? readDemo(text, body.slice(colon + 1))
    : readAddress(text, provider, body.slice(colon + 1));
  return { string: trimmed, provider, id, ...(baseUrl === undefined ? {} : { baseUrl }), flags };
}

/** Puts a model string together from its parts. */
export function formatModelString(parts: Omit<ModelString, "string">): string {
  const flags = Object.entries(parts.flags).map(([key, value]) => value === true ? key : `${key}=${value}`);
  const address = parts.baseUrl === undefined ? "" : `@${parts.baseUrl}`;
  return `${parts.provider}:${parts.id}${address}${flags.length === 0 ? "" : `;${flags.join(",")}`}`;
}

/** Whether an ability flag is set: `undefined` when the string does not say. */
export function abilityFlag(model: ModelString, name: typeof ABILITY_FLAGS[number]): boolean | undefined {
  const value = model.flags[name];
  return value === undefined ? undefined : value !== "false";
}

/** Whether a string's provider is a server on the person's own machine or one they gave the address of. */
export function isLocalProvider(provider: ProviderName): boolean {
  switch (provider) {
    case "ollama":
    case "lmstudio":
    case "llamacpp":
    case "vllm":
    case "openai-compat":
      return true;
    case "demo":
    case "openai":
    case "openai-chat":
    case "anthropic":
    case "google":
    case "openrouter":
    case "groq":
    case "deepseek":
    case "mistral":
      return false;
    default:
      return provider satisfies never;
  }
}

/** What people call a provider, and how an id without one usually begins. Only ever used in a suggestion. */
const OTHER_NAMES: Readonly<Record<string, ProviderName>> = {
  gemini: "google",
  claude: "anthropic",
  gpt: "openai",
  chatgpt: "openai",
  "openai-compatible": "openai-compat",
  "llama-server": "llamacpp",
};

function readProvider(text: string, body: string, colon: number): ProviderName {
  const name = colon < 0 ? body : body.slice(0, colon);
  const known = PROVIDERS.find((provider) => provider === name);
  if (known !== undefined && colon >= 0) return known;
  const list = `The providers are ${PROVIDERS.join(", ")}`;
  if (colon >= 0) {
    const near = OTHER_NAMES[name.toLowerCase()] ?? nearest(name.toLowerCase(), PROVIDERS);
    const hint = near === undefined ? "" : `, did you mean ${near}:${body.slice(colon + 1)}`;
    throw new BadModelString(text, `there is no provider "${name}"${hint}. ${list}`);
  }
  const start = body.toLowerCase().match(/^(gpt|claude|gemini)/)?.[1];
  const example = known !== undefined ? `${known}:<model>` : `${OTHER_NAMES[start ?? ""] ?? "ollama"}:${body}`;
  throw new BadModelString(text, `write it as provider:model, such as ${example}. ${list}`);
}

const ADDRESS = /^(.*?)@(https?:\/\/.*)$/;
const HOST_WITHOUT_SCHEME = /@([^@/\s]+:\d{2,5}(?:\/\S*)?)$/;

function readAddress(
  text: string,
  provider: ProviderName,
  rest: string,
): { readonly id: string; readonly baseUrl?: string } {
  const match = ADDRESS.exec(rest);
  const id = match?.[1] ?? rest;
  if (id === "") throw new BadModelString(text, `name a model after "${provider}:"`);
  if (/[\s\p{Cc}]/u.test(id)) throw new BadModelString(text, `a model's name has no spaces`);
  if (match === null) {
    const host = HOST_WITHOUT_SCHEME.exec(id)?.[1];
    if (host !== undefined) throw new BadModelString(text, `write its address with a scheme, @http://${host}`);
    if (provider === "openai-compat") {
      throw new BadModelString(text, `say where it runs, as in openai-compat:${id}@http://localhost:8080/v1`);
    }
    return { id };
  }
  const address = match[2] ?? "";
  const url = URL.parse(address);
  if (url === null || url.hostname === "" || /\s/.test(address)) {
    throw new BadModelString(text, `"${address}" is not an address, write it like @http://localhost:11434`);
  }
  return { id, baseUrl: address.replace(/\/+$/, "") };
}

const DEMO_MODELS = ["tour", "echo", "script"] as const;

function readDemo(text: string, rest: string): { readonly id: string; readonly baseUrl?: string } {
  const at = rest.indexOf("@");
  const id = at < 0 ? rest : rest.slice(0, at);
  if (!DEMO_MODELS.some((known) => known === id)) {
    throw new BadModelString(text, `the demonstration models are demo:tour, demo:echo and demo:script@<file>`);
  }
  const file = at < 0 ? "" : rest.slice(at + 1);
  if (id === "script") {
    if (file === "") throw new BadModelString(text, `name the file of the script, as in demo:script@./turns.jsonl`);
    return { id, baseUrl: file };
  }
  if (at >= 0) throw new BadModelString(text, `demo:${id} runs in this process and takes no address`);
  return { id };
}

function readFlags(text: string, rest: string): Readonly<Record<string, string | true>> {
  const flags: Record<string, string | true> = {};
  for (const piece of splitFlags(rest)) {
    const equals = piece.indexOf("=");
    const key = (equals < 0 ? piece : piece.slice(0, equals)).trim();
    const value = equals < 0 ? true : piece.slice(equals + 1).trim();
    checkFlag(text, key, value);
    flags[key] = value;
  }
  return flags;
}

/** Parts flags at `;` and `,`, but not inside the strings, lists and objects of a JSON value. */
function splitFlags(rest: string): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < rest.length; at++) {
    const char = rest[at] ?? "";
    if (quoted && char === "\\") piece += char + (rest[++at] ?? "");
    else if (!quoted && depth === 0 && (char === ";" || char === ",")) {
      pieces.push(piece);
      piece = "";
    } else {
      if (char === '"') quoted = !quoted;
      else if (!quoted && (char === "{" || char === "[")) depth++;
      else if (!quoted && (char === "}" || char === "]")) depth--;
      piece += char;
    }
  }
  pieces.push(piece);
  return pieces.map((each) => each.trim()).filter((each) => each !== "");
}

function checkFlag(text: string, key: string, value: string | true): void {
  if (key.startsWith("extra.") && key.length > "extra.".length) return checkExtra(text, key, value);
  if (ABILITY_FLAGS.some((known) => known === key)) {
    if (value === true || value === "true" || value === "false") return;
    throw new BadModelString(text, `the flag "${key}" is written ;${key} or ;${key}=false`);
  }
  if (key === "effort") {
    if (value === "low" || value === "medium" || value === "high") return;
    throw new BadModelString(text, `the flag "effort" is one of ;effort=low, ;effort=medium, ;effort=high`);
  }
  if (VALUE_FLAGS.some((known) => known === key)) {
    if (value !== true && /^\d{1,9}$/.test(value)) return;
    throw new BadModelString(
      text,
      `the flag "${key}" needs a whole number, as in ;${key}=${key === "tps" ? 40 : 32768}`,
    );
  }
  const names = [...ABILITY_FLAGS, ...VALUE_FLAGS];
  const near = nearest(key, names);
  const hint = near === undefined ? "" : `, did you mean "${near}"`;
  throw new BadModelString(text, `there is no flag "${key}"${hint}. The flags are ${names.join(", ")} and extra.<key>`);
}

function checkExtra(text: string, key: string, value: string | true): void {
  try {
    if (value !== true) JSON.parse(value);
  } catch {
    throw new BadModelString(text, `the value of "${key}" is not JSON (text goes in double quotes)`);
  }
}
