/**
 * Model servers on this machine: which of them answer, and what they serve (K-322, K-323).
 *
 * Invariants
 * 1. Only fixed local addresses and `OLLAMA_HOST` are asked, each for half a second at most, all at once
 *    (tests/core/model/local_servers_test.ts).
 * 2. Malama's own `/v1/models` is never taken for a model server (same file).
 * 3. A server that is absent, slow or answers nonsense is as good as none; nothing is thrown but the caller's abort (same file).
 *
 * @module
 */
import { z } from "zod";
import { formatModelString, parseModelString, type ProviderName } from "./model_string.ts";
import { providerAddress } from "./providers/mod.ts";

/** A model a local server offers. */
export interface LocalModel {
  /** The model string to use it by; what the server tells of its abilities is in its flags. */
  readonly string: string;
  readonly provider: ProviderName;
  readonly id: string;
  /** The server, as people call it. */
  readonly server: string;
  /** Its base address. */
  readonly address: string;
  /** Whether it can call tools; `undefined` when the server does not say. */
  readonly tools?: boolean;
  readonly thinking?: boolean;
  readonly images?: boolean;
  /** Tokens; the most it was made for, not what the server has set aside. */
  readonly contextWindow?: number;
}

/** Effects of a look around. */
export interface LocalProbe {
  readonly fetch?: typeof fetch;
  readonly env: (name: string) => string | undefined;
  readonly signal?: AbortSignal;
  /** Ports Malama itself listens on, which are not asked. */
  readonly ownPorts?: readonly number[];
  /** Milliseconds a server has to answer. Default 500. */
  readonly timeoutMs?: number;
}

/** Models of one Ollama that are asked what they can do. */
const MAX_SHOWN = 16;

/** Every model the local servers offer: Ollama's first, within each server those that can call tools first (K-322). */
export async function listLocalModels(probe: LocalProbe): Promise<readonly LocalModel[]> {
  const asker = askerFor(probe);
  const found = await Promise.all([
    ollamaModels(asker, providerAddress(parseModelString("ollama:any"), probe.env)),
    lmStudioModels(asker),
    openAiModels(asker, "llamacpp", "llama.cpp", "http://localhost:8080/v1"),
    openAiModels(asker, "vllm", "vLLM", "http://localhost:8000/v1"),
    openAiModels(asker, "openai-compat", "SGLang", "http://localhost:30000/v1"),
  ]);
  probe.signal?.throwIfAborted();
  return found.flatMap((models) => models.filter(isNameable).toSorted((a, b) => toolRank(a) - toolRank(b)));
}

/** Whether a model string can hold the name its server gave it: one with a blank or a `;` could not be asked for again. */
function isNameable(model: LocalModel): boolean {
  try {
    return parseModelString(model.string).id === model.id;
  } catch {
    return false;
  }
}

function toolRank(model: LocalModel): number {
  return model.tools === true ? 0 : model.tools === undefined ? 1 : 2;
}

/** Asks an address for JSON of a shape; `undefined` for any answer but that. */
type Asker = <T>(url: string, shape: z.ZodType<T>, body?: unknown) => Promise<T | undefined>;

function askerFor(probe: LocalProbe): Asker {
  const call = probe.fetch ?? fetch;
  return async (url, shape, body) => {
    const port = Number(URL.parse(url)?.port);
    if (probe.ownPorts?.includes(port)) return undefined;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), probe.timeoutMs ?? 500);
    const signal = probe.signal === undefined ? limit.signal : AbortSignal.any([limit.signal, probe.signal]);
    try {
      const response = await call(url, {
        signal,
        redirect: "error",
        ...(body === undefined ? {} : {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      });
      if (!response.ok) {
        await response.body?.cancel();
        return undefined;
      }
      const parsed = shape.safeParse(await response.json());
      return parsed.success ? parsed.data : undefined;
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  };
}

const OllamaTags = z.object({ models: z.array(z.object({ name: z.string() })) });
const OllamaShow = z.object({
  capabilities: z.array(z.string()).optional(),
  model_info: z.record(z.string(), z.unknown()).optional(),
});

async function ollamaModels(ask: Asker, address: string): Promise<readonly LocalModel[]> {
  const tags = await ask(`${address}/api/tags`, OllamaTags);
  const names = (tags?.models ?? []).map((model) => model.name);
  const shown = await Promise.all(names.map((model, index) => {
    return index < MAX_SHOWN ? ask(`${address}/api/show`, OllamaShow, { model }) : undefined;
  }));
  const atDefault = address === "http://localhost:11434";
  return names.flatMap((id, index) => {
    const can = shown[index]?.capabilities;
    if (can === undefined ? isOtherKind(id) : !can.includes("completion")) return [];
    return [localModel({ provider: "ollama", id, server: "Ollama", address }, {
      tools: can?.includes("tools"),
      thinking: can?.includes("thinking"),
      images: can?.includes("vision"),
      contextWindow: ollamaWindow(shown[index]?.model_info),
    }, atDefault)];
  });
}

function ollamaWindow(info: Readonly<Record<string, unknown>> | undefined): number | undefined {
  const found = Object.entries(info ?? {}).find(([key]) => key.endsWith(".context_length"))?.[1];
  return typeof found === "number" ? found : undefined;
}

const LmStudioModels = z.object({
  data: z.array(z.object({
    id: z.string(),
    type: z.string().optional(),
    capabilities: z.array(z.string()).optional(),
    max_context_length: z.number().optional(),
  })),
});

/** LM Studio's own listing says what each model can do; an older one without it is asked the common way. */
async function lmStudioModels(ask: Asker): Promise<readonly LocalModel[]> {
  const server = { provider: "lmstudio", server: "LM Studio", address: "http://localhost:1234/v1" } as const;
  const [own, common] = await Promise.all([
    ask("http://localhost:1234/api/v0/models", LmStudioModels),
    openAiModels(ask, server.provider, server.server, server.address),
  ]);
  if (own === undefined) return common;
  return own.data.filter((model) =>
    model.type === undefined ? !isOtherKind(model.id) : /^(?:llm|vlm)$/.test(model.type)
  )
    .map((model) =>
      localModel({ ...server, id: model.id }, {
        tools: model.capabilities?.includes("tool_use"),
        images: model.type === "vlm" ? true : undefined,
        contextWindow: model.max_context_length,
      }, true)
    );
}

const OpenAiModels = z.object({
  data: z.array(z.object({
    id: z.string(),
    owned_by: z.string().optional(),
    max_model_len: z.number().nullish(),
    meta: z.object({ n_ctx_train: z.number().optional() }).nullish(),
  })),
});

async function openAiModels(
  ask: Asker,
  provider: ProviderName,
  server: string,
  address: string,
): Promise<readonly LocalModel[]> {
  const listed = (await ask(`${address}/models`, OpenAiModels))?.data ?? [];
  // Malama serves its agents as models on the port vLLM uses. An assistant that talks to itself would never stop.
  if (listed.some((model) => model.owned_by?.toLowerCase().startsWith("malama"))) return [];
  return listed.filter((model) => !isOtherKind(model.id)).map((model) => {
    const contextWindow = model.max_model_len ?? model.meta?.n_ctx_train;
    return localModel({ provider, id: model.id, server, address }, { contextWindow }, provider !== "openai-compat");
  });
}

/** Whether an id belongs to a model that does not converse. */
function isOtherKind(id: string): boolean {
  return /embed|rerank|whisper|\btts\b|bge-|minilm|clip\b/i.test(id);
}

type Known = {
  readonly [K in "tools" | "thinking" | "images" | "contextWindow"]?: LocalModel[K] | undefined;
};

/** Writes what is known of a model into its string, so that the string alone tells it again. */
function localModel(
  base: Pick<LocalModel, "provider" | "id" | "server" | "address">,
  known: Known,
  isDefaultAddress: boolean,
): LocalModel {
  const flags: Record<string, string | true> = {};
  if (known.tools === false) flags.tools = "false";
  if (known.thinking) flags.thinking = true;
  if (known.images) flags.vision = true;
  const { provider, id, address } = base;
  const string = formatModelString({ provider, id, flags, ...(isDefaultAddress ? {} : { baseUrl: address }) });
  const told = Object.entries(known).filter(([, value]) => value !== undefined);
  return { string, ...base, ...Object.fromEntries(told) };
}
