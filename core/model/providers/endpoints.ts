/**
 * Where each provider listens and which environment variable holds its key (K-323, CONFIG.md).
 *
 * @module
 */
import type { ModelString, ProviderName } from "../model_string.ts";

/** Reads an environment variable. */
export type ReadEnv = (name: string) => string | undefined;

interface Endpoint {
  /** What people call it. */
  readonly label: string;
  /** Absent where only the model string can say. */
  readonly url?: string;
  /** The first one that is set counts. */
  readonly keys: readonly string[];
  /** What to do when a server on this machine does not answer. */
  readonly start?: string;
}

/** What a server is called of which only the address is known. */
export const UNNAMED = "the server";

const ENDPOINTS: Readonly<Record<ProviderName, Endpoint>> = {
  demo: { label: "the demonstration", keys: [] },
  openai: { label: "OpenAI", url: "https://api.openai.com/v1", keys: ["OPENAI_API_KEY"] },
  "openai-chat": { label: "OpenAI", url: "https://api.openai.com/v1", keys: ["OPENAI_API_KEY"] },
  "openai-compat": {
    label: UNNAMED,
    keys: ["OPENAI_COMPAT_API_KEY"],
    start: "Start the server, or correct the address after the @ in the model string",
  },
  anthropic: { label: "Anthropic", url: "https://api.anthropic.com/v1", keys: ["ANTHROPIC_API_KEY"] },
  google: {
    label: "Google",
    url: "https://generativelanguage.googleapis.com/v1beta",
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  },
  ollama: {
    label: "Ollama",
    url: "http://localhost:11434",
    keys: ["OLLAMA_API_KEY"],
    start: 'Start it with "ollama serve", or set OLLAMA_HOST to where it runs',
  },
  lmstudio: {
    label: "LM Studio",
    url: "http://localhost:1234/v1",
    keys: ["LMSTUDIO_API_KEY"],
    start: 'Start its server in LM Studio under Developer, or with "lms server start"',
  },
  llamacpp: {
    label: "llama.cpp",
    url: "http://localhost:8080/v1",
    keys: ["LLAMACPP_API_KEY"],
    start: 'Start it with "llama-server -m model.gguf --jinja"',
  },
  vllm: {
    label: "vLLM",
    url: "http://localhost:8000/v1",
    keys: ["VLLM_API_KEY"],
    start: 'Start it with "vllm serve", or give its address after an @ in the model string',
  },
  openrouter: { label: "OpenRouter", url: "https://openrouter.ai/api/v1", keys: ["OPENROUTER_API_KEY"] },
  groq: { label: "Groq", url: "https://api.groq.com/openai/v1", keys: ["GROQ_API_KEY"] },
  deepseek: { label: "DeepSeek", url: "https://api.deepseek.com/v1", keys: ["DEEPSEEK_API_KEY"] },
  mistral: { label: "Mistral", url: "https://api.mistral.ai/v1", keys: ["MISTRAL_API_KEY"] },
};

/** The environment variables that may hold a provider's key, the one that counts first. Empty for `demo`. */
export function keyVariables(provider: ProviderName): readonly string[] {
  return ENDPOINTS[provider].keys;
}

/** A provider's key, from the environment alone; `undefined` when none of its variables is set. */
export function providerKey(provider: ProviderName, env: ReadEnv): string | undefined {
  for (const name of keyVariables(provider)) {
    const key = env(name)?.trim();
    if (key !== undefined && key !== "") return key;
  }
  return undefined;
}

/** What people call a provider. */
export function providerLabel(provider: ProviderName): string {
  return ENDPOINTS[provider].label;
}

/** What to do when a provider's server does not answer; `undefined` for the ones elsewhere. */
export function startHint(provider: ProviderName): string | undefined {
  return ENDPOINTS[provider].start;
}

/**
 * The base address of a model: the one in its string, else `OLLAMA_HOST` for Ollama, else its provider's own (K-323). No
 * trailing slash, and with the version's path where the protocol has one. Throws `TypeError` for a model that has none
 * (`demo:`, `openai-compat:` without an `@`).
 */
export function providerAddress(model: ModelString, env?: ReadEnv): string {
  const fromEnv = model.provider === "ollama" ? hostAddress(env?.("OLLAMA_HOST")) : undefined;
  const address = model.baseUrl ?? fromEnv ?? ENDPOINTS[model.provider].url;
  if (address === undefined) {
    throw new TypeError(`"${model.string}" has no address, write one after an @, as in @http://localhost:8080/v1`);
  }
  const trimmed = address.replace(/\/+$/, "");
  const version = versionPath(model.provider);
  if (version === "") return trimmed.replace(/\/(api|v1)$/, "");
  const url = URL.parse(trimmed);
  return url !== null && url.pathname === "/" ? `${trimmed}${version}` : trimmed;
}

/** What the address of a provider's server ends with when the person wrote only its host. */
function versionPath(provider: ProviderName): string {
  if (provider === "ollama") return "";
  return provider === "google" ? "/v1beta" : "/v1";
}

/** `OLLAMA_HOST` as its own client reads it: scheme and port may be missing, and a listening address is this machine. */
function hostAddress(value: string | undefined): string | undefined {
  const text = value?.trim() ?? "";
  if (text === "") return undefined;
  const full = /^https?:\/\//.test(text) ? text : `http://${text.startsWith(":") ? `localhost${text}` : text}`;
  const url = URL.parse(full);
  if (url === null) return undefined;
  const named = /:\d+(\/|$)/.test(full.slice(full.indexOf("//") + 2));
  const port = named || text.startsWith("http") ? url.port : "11434";
  const host = ["0.0.0.0", "[::]"].includes(url.hostname) ? "localhost" : url.hostname;
  return `${url.protocol}//${host}${port === "" ? "" : `:${port}`}${url.pathname.replace(/\/+$/, "")}`;
}

/** `host:port` of an address, for a sentence. */
export function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}

/** Whether an address is this machine's own. */
export function isLoopback(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? "";
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}

/** An address without a name and password, and these as a header, so that neither is shown or logged. */
export function splitCredentials(address: string): { readonly address: string; readonly authorization?: string } {
  const url = URL.parse(address);
  if (url === null || (url.username === "" && url.password === "")) return { address };
  const bytes = new TextEncoder().encode(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`);
  url.username = "";
  url.password = "";
  return { address: url.href.replace(/\/+$/, ""), authorization: `Basic ${bytes.toBase64()}` };
}
