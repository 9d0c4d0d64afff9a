/**
 * Vectors from a provider: Ollama, Gemini, and whatever speaks OpenAI's protocol. Addresses and keys are those of the models
 * (K-323, K-334).
 *
 * @module
 */
import { z } from "zod";
import { errorText } from "../../log/mod.ts";
import { type ModelString, providerAddress, providerKey, providerLabel, splitCredentials } from "../../model/mod.ts";
import { embedByPieces, type Embedder, EmbeddingFailed, toUnit } from "./embedder.ts";

/** Characters of one piece, about 1,000 tokens: less than any embedding model takes. */
const PIECE = 4000;
/** Pieces of one request. */
const BATCH = 32;
const TIMEOUT_MS = 30_000;

export interface ProviderEmbedderOptions {
  readonly env: (name: string) => string | undefined;
  readonly fetch?: typeof fetch;
}

/** What is sent, and where the vectors are in what comes back. */
interface Protocol {
  readonly path: string;
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  readonly body: (id: string, texts: readonly string[]) => unknown;
  readonly answer: z.ZodType<readonly (readonly number[])[]>;
}

const vector = z.array(z.number()).min(1);
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** The protocol of a model's provider, or `null` where it has no embeddings. */
export function embeddingProtocol(model: ModelString): Protocol | null {
  switch (model.provider) {
    case "demo":
    case "anthropic":
      return null;
    case "ollama":
      return {
        path: "/api/embed",
        headers: bearer,
        body: (id, texts) => ({ model: id, input: texts }),
        answer: z.object({ embeddings: z.array(vector) }).transform(({ embeddings }) => embeddings),
      };
    case "google":
      return {
        path: `/models/${encodeURIComponent(model.id)}:batchEmbedContents`,
        headers: (key) => ({ "x-goog-api-key": key }),
        body: (id, texts) => ({
          requests: texts.map((text) => ({ model: `models/${id}`, content: { parts: [{ text }] } })),
        }),
        answer: z.object({ embeddings: z.array(z.object({ values: vector })) })
          .transform(({ embeddings }) => embeddings.map(({ values }) => values)),
      };
    default:
      return {
        path: "/embeddings",
        headers: bearer,
        body: (id, texts) => ({ model: id, input: texts }),
        answer: z.object({ data: z.array(z.object({ index: z.number(), embedding: vector })) })
          .transform(({ data }) => data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding)),
      };
  }
}

export class ProviderEmbedder implements Embedder {
  readonly model: string;
  readonly batch = BATCH;
  readonly #model: ModelString;
  readonly #protocol: Protocol;
  readonly #options: ProviderEmbedderOptions;

  /** Throws `TypeError` for a provider without embeddings; `createEmbedder` has told a person before. */
  constructor(model: ModelString, options: ProviderEmbedderOptions) {
    const protocol = embeddingProtocol(model);
    if (protocol === null) throw new TypeError(`${model.provider} has no embeddings`);
    this.model = `${model.provider}:${model.id}`;
    this.#model = model;
    this.#protocol = protocol;
    this.#options = options;
  }

  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]> {
    return embedByPieces(texts, { length: PIECE, batch: BATCH, embed: (parts) => this.#ask(parts, signal) });
  }

  weightOf(): number {
    return 0.8;
  }

  close(): void {}

  async #ask(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]> {
    signal?.throwIfAborted();
    const response = await this.#send(texts, signal);
    if (!response.ok) throw this.#refusal(response.status, await response.text().catch(() => ""));
    const answer = this.#protocol.answer.safeParse(await response.json().catch(() => null));
    if (!answer.success || answer.data.length !== texts.length) {
      throw this.#failed("it did not answer with a vector for each text");
    }
    const vectors = answer.data.map((values) => toUnit(Float32Array.from(values)));
    if (new Set(vectors.map(({ length }) => length)).size > 1) throw this.#failed("its vectors are not of one length");
    return vectors;
  }

  async #send(texts: readonly string[], signal?: AbortSignal): Promise<Response> {
    const { env, fetch: fetcher = fetch } = this.#options;
    const { address, authorization } = splitCredentials(providerAddress(this.#model, env));
    const key = providerKey(this.#model.provider, env);
    try {
      return await fetcher(address + this.#protocol.path, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...authorization !== undefined && { authorization },
          ...key !== undefined && this.#protocol.headers(key),
        },
        body: JSON.stringify(this.#protocol.body(this.#model.id, texts)),
        // A redirect would carry the key to another host.
        redirect: "manual",
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...signal ? [signal] : []]),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#failed(`${providerLabel(this.#model.provider)} does not answer (${errorText(error)})`, error);
    }
  }

  /** A bad key, a limit and a fault of the server are about the moment, anything else about what was sent. */
  #refusal(status: number, text: string): EmbeddingFailed {
    const passing = status < 400 || status >= 500 || [401, 403, 404, 408, 429].includes(status);
    const why = `${providerLabel(this.#model.provider)} answered ${status}${
      text === "" ? "" : `: ${text.slice(0, 300)}`
    }`;
    return new EmbeddingFailed(this.model, passing ? "failed" : "refused", why);
  }

  #failed(why: string, cause?: unknown): EmbeddingFailed {
    return new EmbeddingFailed(this.model, "failed", why, { cause });
  }
}
