/**
 * The page's own use of the REST calls in API.md. One method a call; nothing else on the page asks the server anything.
 *
 * @module
 */
import type { Conversation, Entry, PathTurn, Turn } from "../../core/log/entry.ts";
import type { Rows } from "./boot.ts";

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

export type Detail = Conversation & { readonly path: readonly PathTurn[] };

export class Api {
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

  create(): Promise<Conversation> {
    return this.#json("POST", "/api/conversations", {});
  }

  detail(id: string): Promise<Detail> {
    return this.#json("GET", `/api/conversations/${id}`);
  }

  change(
    id: string,
    change: { title?: string; expected_title?: string; pinned?: boolean },
  ): Promise<Conversation> {
    return this.#json("PATCH", `/api/conversations/${id}`, change);
  }

  async remove(id: string): Promise<void> {
    await this.#json("DELETE", `/api/conversations/${id}`);
  }

  restore(id: string): Promise<Conversation> {
    return this.#json("POST", `/api/conversations/${id}/restore`, {});
  }

  send(id: string, text: string, token: string): Promise<Receipt> {
    return this.#json("POST", `/api/conversations/${id}/messages`, { text, token });
  }

  stop(id: string): Promise<{ stopped: boolean }> {
    return this.#json("POST", `/api/conversations/${id}/stop`, {});
  }

  goOn(id: string): Promise<Turn> {
    return this.#json("POST", `/api/conversations/${id}/continue`, {});
  }

  /** Asks for a title from the content; it comes with the row, later. */
  async name(id: string): Promise<void> {
    await this.#json("POST", `/api/conversations/${id}/title`, {});
  }

  entries(id: string, before: number): Promise<{ items: readonly Entry[]; last_seq: number }> {
    return this.#json("GET", `/api/conversations/${id}/entries?before=${before}&limit=200`);
  }

  /** The whole of a result that was too long for its entry. */
  async payload(ref: string): Promise<string> {
    const response = await this.#ask("GET", ref);
    return await response.text();
  }

  async #json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.#ask(method, path, body);
    const text = await response.text();
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  async #ask(method: string, path: string, body?: unknown): Promise<Response> {
    const init: RequestInit = { method, credentials: "same-origin" };
    if (body !== undefined) {
      init.headers = { "content-type": "application/json" };
      init.body = JSON.stringify(body);
    }
    const response = await this.#fetch(this.#base + path, init).catch((cause) => {
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
