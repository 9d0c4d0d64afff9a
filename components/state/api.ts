/**
 * The page's own use of the REST calls in API.md. One method a call; nothing else on the page asks the server anything.
 *
 * @module
 */
import type {
  ApprovalAnswer,
  Conversation,
  Entry,
  FileRef,
  ImageRef,
  PathTurn,
  PendingMessage,
  Thinking,
} from "../../core/log/entry.ts";
import type { Rows } from "./boot.ts";
import type { MemoryCalls } from "../memory/memories.ts";
import { memoryCalls } from "./memory_calls.ts";
import { upload } from "./upload.ts";

/** The server answered, and the answer was no. `message` is its sentence for the person. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(readonly status: number, readonly title: string, detail: string) {
    super(detail);
  }
}

/** Nothing answered at all. */
export class NotConnected extends Error {
  override readonly name = "NotConnected";
  constructor(options?: ErrorOptions) {
    super("Not connected. Try again when the connection is back", options);
  }
}

/** What became of a message. */
export interface Receipt {
  readonly fate: "turn" | "joined" | "answered" | "command";
  readonly turn?: string;
  readonly queued?: boolean;
  readonly text?: string;
}

/** A message as it goes out. */
export interface Draft {
  readonly text: string;
  readonly token: string;
  /** What was stored before (`Api.attach`), by reference. */
  readonly images?: readonly ImageRef[];
  readonly files?: readonly FileRef[];
  readonly thinking?: Thinking;
  readonly plan?: boolean;
  /** A turn of its own, also while another one runs. */
  readonly queue?: boolean;
}

/** How a file goes out. */
export interface AttachOptions {
  /** Told the share that has gone out, from 0 to 1; in the browser alone. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/** A file that was stored to be sent with a message. */
export type Attachment = (ImageRef & { readonly kind: "image" }) | (FileRef & { readonly kind: "file" });

/** A place where words were found. */
export interface Found {
  readonly conversation: string;
  readonly title: string;
  readonly turn: string | null;
  readonly seq: number;
  /** Plain text; what matched stands between U+E000 and U+E001. */
  readonly snippet: string;
  readonly score: number;
  readonly match: "phrase" | "all_terms" | "meaning";
}

/** A model that can be chosen, as `GET /api/models` tells it. */
export interface ModelChoice {
  readonly string: string;
  readonly provider: string;
  readonly id: string;
  /** Tokens. */
  readonly context_window?: number;
  readonly max_output?: number;
  readonly images: boolean;
  readonly tools: boolean;
  readonly thinking: boolean;
  readonly source: "configured" | "local" | "demo" | "catalogue";
  readonly reachable: boolean | null;
  readonly needs_key: string | null;
  /** US dollars per million tokens. */
  readonly price?: { readonly input: number; readonly output: number };
}

/** What a declared agent can do, as far as the page asks. */
export interface AgentAbilities {
  readonly name: string;
  /** Whether it is the one people talk to. */
  readonly entry: boolean;
  readonly toolsets: readonly { readonly name: string }[];
}

export type Detail = Conversation & { readonly path: readonly PathTurn[] };

export class Api {
  /** What the memory page asks. */
  readonly memories: MemoryCalls = memoryCalls((method, path, body, signal) => this.#json(method, path, body, signal));
  readonly #base: string;
  readonly #fetch: typeof fetch;

  constructor(basePath: string, fetcher: typeof fetch) {
    this.#base = basePath;
    this.#fetch = fetcher;
  }

  list(before: string | null): Promise<Rows> {
    const query = before === null ? "" : `&before=${encodeURIComponent(before)}`;
    return this.#json<Rows>("GET", `/api/conversations?limit=50${query}`);
  }

  create(model?: string): Promise<Conversation> {
    return this.#json("POST", "/api/conversations", model === undefined ? {} : { model });
  }

  detail(id: string): Promise<Detail> {
    return this.#json("GET", `/api/conversations/${id}`);
  }

  change(
    id: string,
    change: { title?: string; expected_title?: string; pinned?: boolean; model?: string | null },
  ): Promise<Conversation> {
    return this.#json("PATCH", `/api/conversations/${id}`, change);
  }

  async remove(id: string): Promise<void> {
    await this.#json("DELETE", `/api/conversations/${id}`);
  }

  restore(id: string): Promise<Conversation> {
    return this.#json("POST", `/api/conversations/${id}/restore`, {});
  }

  send(id: string, draft: Draft): Promise<Receipt> {
    return this.#json("POST", `/api/conversations/${id}/messages`, draft);
  }

  /**
   * Stores a file that a message will name, and says how much of it has gone out. Throws `ApiError` with the reason when it
   * is not a kind that can be sent.
   */
  async attach(file: Blob, name: string, { signal, onProgress }: AttachOptions = {}): Promise<Attachment> {
    const path = `/api/attachments?name=${encodeURIComponent(name)}`;
    const headers = { "content-type": file.type || "application/octet-stream" };
    const aborted = signal ? { signal } : {};
    const response = onProgress && typeof XMLHttpRequest !== "undefined"
      ? await this.#answer(upload(this.#base + path, { headers, body: file, onProgress, ...aborted }), signal)
      : await this.#request(path, { method: "POST", headers, body: file, ...aborted });
    return await response.json();
  }

  /** Another answer to the same message. */
  regenerate(id: string, turn: string, how: { model?: string; thinking?: Thinking } = {}): Promise<{ turn: string }> {
    return this.#json("POST", `/api/conversations/${id}/turns/${turn}/regenerate`, how);
  }

  /** Another message in the same place. */
  edit(id: string, turn: string, text: string): Promise<{ turn: string }> {
    return this.#json("POST", `/api/conversations/${id}/turns/${turn}/edit`, { text });
  }

  /** Puts the newest turn at or below this one in view. */
  setHead(id: string, turn: string): Promise<Detail> {
    return this.#json("PUT", `/api/conversations/${id}/head`, { turn });
  }

  branch(id: string, turn: string): Promise<Conversation> {
    return this.#json("POST", `/api/conversations/${id}/branch`, { turn });
  }

  truncate(id: string, turn: string): Promise<Detail> {
    return this.#json("POST", `/api/conversations/${id}/truncate`, { turn });
  }

  duplicate(id: string): Promise<Conversation> {
    return this.#json("POST", `/api/conversations/${id}/duplicate`, {});
  }

  /** Makes a conversation of a JSONL export. */
  async import(file: Blob): Promise<Conversation> {
    const headers = { "content-type": "application/jsonl" };
    const response = await this.#request("/api/import", { method: "POST", headers, body: file });
    return await response.json();
  }

  async pending(id: string): Promise<readonly PendingMessage[]> {
    return (await this.#json<{ items: readonly PendingMessage[] }>("GET", `/api/conversations/${id}/pending`)).items;
  }

  /** Changes a message that waits. Throws `ApiError` 404 when it was read meanwhile. */
  editPending(id: string, message: string, text: string): Promise<PendingMessage> {
    return this.#json("PATCH", `/api/conversations/${id}/pending/${message}`, { text });
  }

  /** Takes back a message that waits. Throws `ApiError` 404 when it was read meanwhile. */
  async takePending(id: string, message: string): Promise<void> {
    await this.#json("DELETE", `/api/conversations/${id}/pending/${message}`);
  }

  /** Sends a message that waits into the running turn, before all others. */
  sendPending(id: string, message: string): Promise<Receipt> {
    return this.#json("POST", `/api/conversations/${id}/pending/${message}/send`, {});
  }

  async search(words: string, signal?: AbortSignal): Promise<readonly Found[]> {
    const path = `/api/search?q=${encodeURIComponent(words)}&limit=20`;
    const response = await this.#request(path, signal ? { signal } : {});
    return (await response.json()).items;
  }

  async models(): Promise<readonly ModelChoice[]> {
    return (await this.#json<{ items: readonly ModelChoice[] }>("GET", "/api/models")).items;
  }

  async agents(): Promise<readonly AgentAbilities[]> {
    return (await this.#json<{ items: readonly AgentAbilities[] }>("GET", "/api/agents")).items;
  }

  /** Answers a question. Throws `ApiError` 409 when it was decided before, 400 when what is given does not fit. */
  async answer(id: string, question: number, answer: ApprovalAnswer): Promise<void> {
    await this.#json("POST", `/api/approvals/${id}/${question}`, answer);
  }

  stop(id: string): Promise<{ stopped: boolean }> {
    return this.#json("POST", `/api/conversations/${id}/stop`, {});
  }

  goOn(id: string): Promise<{ turn: string }> {
    return this.#json("POST", `/api/conversations/${id}/continue`, {});
  }

  /** Asks for a title from the content; it comes with the row, later. */
  async name(id: string): Promise<void> {
    await this.#json("POST", `/api/conversations/${id}/title`, {});
  }

  /** A page of the path in view: those before `before`, or those after `after`. */
  page(
    id: string,
    at: { before?: number; after?: number; limit?: number },
  ): Promise<{ items: readonly Entry[]; last_seq: number }> {
    const query = Object.entries({ limit: 200, ...at }).map(([key, value]) => `${key}=${value}`).join("&");
    return this.#json("GET", `/api/conversations/${id}/entries?${query}`);
  }

  /** The whole of a result that was too long for its entry. */
  async payload(ref: string): Promise<string> {
    const response = await this.#ask("GET", ref);
    return await response.text();
  }

  async #json<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const response = await this.#ask(method, path, body, signal);
    const text = await response.text();
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  async #ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    const aborted = signal ? { signal } : {};
    if (body === undefined) return await this.#request(path, { method, ...aborted });
    const headers = { "content-type": "application/json" };
    return await this.#request(path, { method, headers, body: JSON.stringify(body), ...aborted });
  }

  #request(path: string, init: RequestInit): Promise<Response> {
    return this.#answer(this.#fetch(this.#base + path, { credentials: "same-origin", ...init }), init.signal);
  }

  async #answer(answering: Promise<Response>, signal?: AbortSignal | null): Promise<Response> {
    const response = await answering.catch((cause) => {
      if (signal?.aborted) throw cause;
      throw new NotConnected({ cause });
    });
    if (response.ok) return response;
    throw await refusal(response);
  }
}

async function refusal(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => "");
  try {
    const problem = JSON.parse(text) as { title?: string; detail?: string };
    const title = problem.title ?? `Status ${response.status}`;
    return new ApiError(response.status, title, problem.detail ?? title);
  } catch {
    return new ApiError(response.status, `Status ${response.status}`, `The server answered ${response.status}`);
  }
}
