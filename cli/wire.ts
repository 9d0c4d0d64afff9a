/**
 * The wire as a program speaks it: REST with the bearer token, and the live socket (API.md).
 *
 * Answers come from our own server of the same version, so they are taken as API.md describes them, unchecked.
 *
 * @module
 */
import type { LogOperation } from "../core/log/mod.ts";

/** Where a server is and what opens it. */
export interface ServerAddress {
  /** With the base path, without a trailing slash. */
  readonly url: string;
  /** Empty where the server asks for none. */
  readonly token: string;
}

/** What the live socket says that is not the log's own. */
export type LiveOperation =
  | LogOperation
  | { readonly op: "hello"; readonly version: string; readonly ready: boolean }
  | { readonly op: "ready" | "pong" | "tasks" | "approvals" | "channel" | "topology" }
  | { readonly op: "alert"; readonly text: string; readonly level: string; readonly conversation?: string }
  | { readonly op: "error"; readonly title: string; readonly detail?: string };

/** Deno's sockets take headers; the browser's declaration, which the compiler sees here, has no such parameter. */
const SocketWithHeaders = WebSocket as unknown as {
  new (url: string, options: { readonly headers: Readonly<Record<string, string>> }): WebSocket;
};

/** The server answered, and refused. `message` is its own sentence. */
export class WireError extends Error {
  override readonly name = "WireError";
  constructor(message: string, readonly status: number) {
    super(message);
  }
}

/** The server could not be reached. */
export class NotConnected extends Error {
  override readonly name = "NotConnected";
  /** `where` is an address, or the data folder whose server is looked for. */
  constructor(readonly where: string, options?: ErrorOptions) {
    super(`No server answers at ${where}: it may have stopped`, options);
  }
}

export class Wire {
  readonly #locate: () => Promise<ServerAddress>;
  #address: ServerAddress;

  /** `locate` is asked again whenever the connection was lost, since a server may come back elsewhere. */
  constructor(address: ServerAddress, locate: () => Promise<ServerAddress>) {
    this.#address = address;
    this.#locate = locate;
  }

  get url(): string {
    return this.#address.url;
  }

  /** Looks again where the server is. Throws `NotConnected` when there is none. */
  async relocate(): Promise<void> {
    this.#address = await this.#locate();
  }

  get<T>(path: string, options: { readonly signal?: AbortSignal } = {}): Promise<T> {
    return this.#call("GET", path, undefined, options.signal);
  }

  post<T>(path: string, body?: unknown, options: { readonly signal?: AbortSignal } = {}): Promise<T> {
    return this.#call("POST", path, body ?? {}, options.signal);
  }

  patch<T>(path: string, body: unknown, options: { readonly signal?: AbortSignal } = {}): Promise<T> {
    return this.#call("PATCH", path, body, options.signal);
  }

  /** A live socket that is being opened. */
  socket(): WebSocket {
    const url = `${this.#address.url.replace(/^http/, "ws")}/live`;
    return new SocketWithHeaders(url, { headers: this.#headers() });
  }

  #headers(): Record<string, string> {
    return this.#address.token === "" ? {} : { authorization: `Bearer ${this.#address.token}` };
  }

  /** A file, piece by piece as it comes. Throws as the other calls do, also when it breaks off. */
  async *file(path: string, { signal }: { readonly signal?: AbortSignal } = {}): AsyncGenerator<Uint8Array> {
    const { url } = this.#address;
    const response = await this.#fetch("GET", path, { accept: "*/*" }, undefined, signal);
    try {
      for await (const piece of response.body ?? []) yield piece;
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new NotConnected(url, { cause: error });
    }
  }

  /** Sends a file, as it is read, and gives the answer. Throws as the other calls do. */
  async upload<T>(
    path: string,
    file: ReadableStream<Uint8Array<ArrayBuffer>>,
    { type, signal }: { readonly type: string; readonly signal?: AbortSignal },
  ): Promise<T> {
    const headers = { accept: "application/json", "content-type": type };
    const response = await this.#fetch("POST", path, headers, file, signal);
    return JSON.parse(await bodyOf(response, this.#address.url, signal)) as T;
  }

  async #call<T>(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<T> {
    const { url } = this.#address;
    const headers: Record<string, string> = { accept: "application/json" };
    if (body !== undefined) headers["content-type"] = "application/json";
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const response = await this.#fetch(method, path, headers, sent, signal);
    const text = await bodyOf(response, url, signal);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  /** An answer that is no refusal. */
  async #fetch(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string | ReadableStream<Uint8Array<ArrayBuffer>> | undefined,
    signal?: AbortSignal,
  ): Promise<Response> {
    const { url } = this.#address;
    let response: Response;
    try {
      response = await fetch(url + path, {
        method,
        headers: { ...this.#headers(), ...headers },
        body,
        redirect: "manual",
        signal,
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new NotConnected(url, { cause: error });
    }
    if (response.ok) return response;
    throw new WireError(refusal(await bodyOf(response, url, signal), response.status), response.status);
  }
}

async function bodyOf(response: Response, url: string, signal?: AbortSignal): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new NotConnected(url, { cause: error });
  }
}

/** The sentence of a problem document, or the status where there is none. */
function refusal(text: string, status: number): string {
  try {
    const problem: unknown = JSON.parse(text);
    if (typeof problem === "object" && problem !== null) {
      const { detail, title } = problem as { readonly detail?: unknown; readonly title?: unknown };
      if (typeof detail === "string" && detail !== "") return detail;
      if (typeof title === "string" && title !== "") return title;
    }
  } catch {
    // Not a problem document; something else answers there.
  }
  return `The server answered ${status} without saying why`;
}
