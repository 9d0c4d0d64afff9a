/**
 * A real HTTP server on loopback that speaks a provider's own protocol and answers by a script.
 *
 * @example A question with two parallel tool calls, then an answer
 * ```ts
 * await using provider = startFakeProvider("anthropic", [
 *   { toolCalls: [{ name: "now" }, { name: "calculate", arguments: { expression: "6*7" } }] },
 *   { text: "It is noon, and the answer is 42" },
 * ]);
 * // provider.modelString is ready for a client; provider.requests holds what arrived.
 * ```
 *
 * @module
 */
import { anthropicProtocol } from "./anthropic_frames.ts";
import { geminiProtocol } from "./gemini_frames.ts";
import { ollamaProtocol } from "./ollama_frames.ts";
import { chatProtocol } from "./openai_chat_frames.ts";
import { responsesProtocol } from "./openai_responses_frames.ts";
import { RawConnection, type RawRequest } from "./raw_http.ts";
import type { FakeProtocol, FakeRequest, Frames, Protocol, Reply, Script } from "./script.ts";

/** A running fake provider. */
export interface FakeProvider extends AsyncDisposable {
  readonly protocol: Protocol;
  /** The base address, as it stands in the model string. */
  readonly url: string;
  /** A model string for it: `<provider>:<id>@<url>;tools,thinking,vision`. */
  readonly modelString: string;
  /** Requests for an answer, in order of arrival. */
  readonly requests: readonly FakeRequest[];
  /** Resolves with the n-th request (from 0) once it has arrived. */
  received(index: number): Promise<FakeRequest>;
  close(): Promise<void>;
}

/** What may differ from one fake provider to the next. */
export interface FakeOptions {
  /** Default `fake-1`. */
  readonly id?: string;
  /** Default `tools,thinking,vision`. */
  readonly flags?: string;
  /** Refuse bodies a strict server would refuse. Default true. */
  readonly strict?: boolean;
}

const PROTOCOL_TABLE: Readonly<Record<Protocol, FakeProtocol>> = {
  "openai-chat": chatProtocol,
  "openai-responses": responsesProtocol,
  "anthropic": anthropicProtocol,
  "ollama": ollamaProtocol,
  "google": geminiProtocol,
};

/** Starts one on a free port. */
export function startFakeProvider(protocol: Protocol, script: Script, options: FakeOptions = {}): FakeProvider {
  const server = new FakeServer(PROTOCOL_TABLE[protocol], script, options);
  const { base, provider } = PROTOCOL_TABLE[protocol];
  const url = `http://127.0.0.1:${server.port}${base}`;
  const close = () => server.close();
  return {
    protocol,
    url,
    modelString: `${provider}:${options.id ?? "fake-1"}@${url};${options.flags ?? "tools,thinking,vision"}`,
    requests: server.requests,
    received: (index) => server.received(index),
    close,
    [Symbol.asyncDispose]: close,
  };
}

class FakeServer {
  readonly requests: FakeRequest[] = [];
  readonly #waiting = new Map<number, PromiseWithResolvers<FakeRequest>>();
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #open = new Set<RawConnection>();
  readonly #work: Promise<unknown>[] = [];
  readonly #stopped = Promise.withResolvers<void>();
  #closing = false;

  constructor(
    readonly protocol: FakeProtocol,
    readonly script: Script,
    readonly options: FakeOptions,
  ) {
    this.#work.push(this.#accept());
  }

  get port(): number {
    return (this.#listener.addr as Deno.NetAddr).port;
  }

  received(index: number): Promise<FakeRequest> {
    const arrived = this.requests[index];
    if (arrived !== undefined) return Promise.resolve(arrived);
    const waiting = this.#waiting.get(index) ?? Promise.withResolvers<FakeRequest>();
    this.#waiting.set(index, waiting);
    return waiting.promise;
  }

  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      this.#listener.close();
      this.#stopped.resolve();
      for (const connection of this.#open) connection.close();
    }
    await Promise.all(this.#work);
  }

  async #accept(): Promise<void> {
    for (;;) {
      let accepted: Deno.Conn;
      try {
        accepted = await this.#listener.accept();
      } catch {
        return;
      }
      const connection = new RawConnection(accepted);
      this.#open.add(connection);
      this.#work.push(
        this.#serve(connection).finally(() => {
          connection.close();
          this.#open.delete(connection);
        }),
      );
    }
  }

  async #serve(connection: RawConnection): Promise<void> {
    const raw = await connection.request();
    if (raw === undefined) return;
    this.#work.push(connection.watch());
    if (raw.method === "GET") return await this.#list(connection, raw);
    const index = this.requests.length;
    const request: FakeRequest = { ...raw, json: parse(raw.body), closed: connection.closed };
    this.requests.push(request);
    this.#waiting.get(index)?.resolve(request);
    const problem = this.#problem(request);
    if (problem !== undefined) return await this.#status(connection, { code: problem.code, message: problem.message });
    const reply = typeof this.script === "function" ? this.script(request, index) : this.script[index];
    if (reply === undefined) return await this.#status(connection, { code: 400, message: "the script is over" });
    await this.#reply(connection, reply, index);
  }

  #problem(request: FakeRequest): { readonly code: number; readonly message: string } | undefined {
    if (!this.protocol.accepts(request.path)) return { code: 404, message: `nothing at ${request.path}` };
    if (this.options.strict === false) return undefined;
    const message = this.protocol.problemIn(request.json);
    return message === undefined ? undefined : { code: 400, message };
  }

  /** The list of models, in both shapes that servers have. */
  async #list(connection: RawConnection, raw: RawRequest): Promise<void> {
    const id = this.options.id ?? "fake-1";
    const found = /\/(models|tags)$/.test(raw.path);
    await connection.write(found ? plain(200, { models: [{ name: id }], data: [{ id }] }) : plain(404, {}));
  }

  async #status(connection: RawConnection, status: NonNullable<Reply["status"]>): Promise<void> {
    const body = status.body ?? this.protocol.errorBody(status.code, status.message ?? "scripted");
    await connection.write(plain(status.code, body, status.headers));
  }

  async #reply(connection: RawConnection, reply: Reply, index: number): Promise<void> {
    if (reply.silence === "close") return;
    if (reply.silence === "stall") return await this.#hold(connection);
    if (reply.status !== undefined) return await this.#status(connection, reply.status);
    await connection.write(
      `HTTP/1.1 200 OK\r\ncontent-type: ${this.protocol.contentType}\r\n` +
        "transfer-encoding: chunked\r\nconnection: close\r\n\r\n",
    );
    const { frames, cut } = withFault(this.protocol, this.protocol.frames(reply, index), reply);
    for (const [at, frame] of frames.entries()) {
      // A gate that stays shut, as in a test that failed, does not keep the server from closing.
      await Promise.race([reply.gate?.(at), this.#stopped.promise]);
      if (reply.delayMs !== undefined) await this.#wait(reply.delayMs);
      const last = at === frames.length - 1 && reply.unterminated;
      const bytes = new TextEncoder().encode(last ? frame.trimEnd() : frame);
      const size = reply.chunkBytes ?? bytes.length;
      for (let from = 0; from < bytes.length; from += size) await connection.chunk(bytes.subarray(from, from + size));
    }
    if (cut === "reset") return;
    if (cut === "stall" || reply.lingering) return await this.#hold(connection);
    await connection.write("0\r\n\r\n");
  }

  /** Keeps a connection until the client leaves or the server is closed. */
  async #hold(connection: RawConnection): Promise<void> {
    await Promise.race([connection.closed, this.#stopped.promise]);
  }

  async #wait(milliseconds: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const passed = new Promise<void>((resolve) => timer = setTimeout(resolve, milliseconds));
    await Promise.race([passed, this.#stopped.promise]);
    clearTimeout(timer);
  }
}

function withFault(
  protocol: FakeProtocol,
  { content, finish }: Frames,
  reply: Reply,
): { readonly frames: readonly string[]; readonly cut?: "reset" | "stall" } {
  if (reply.fault === undefined) return { frames: [...content, ...finish] };
  const before = content.slice(0, reply.faultAfter ?? (reply.fault === "overloaded" ? 0 : content.length));
  switch (reply.fault) {
    case "overloaded":
      return { frames: [...before, protocol.overloaded()] };
    case "malformed":
      return { frames: [...before, protocol.malformed(), ...finish] };
    case "eof":
      return { frames: before };
    case "reset":
    case "stall":
      return { frames: before, cut: reply.fault };
    default:
      return reply.fault satisfies never;
  }
}

function plain(code: number, body: unknown, headers: Readonly<Record<string, string>> = {}): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const lines = Object.entries({
    "content-type": "application/json",
    ...headers,
    "content-length": `${new TextEncoder().encode(text).length}`,
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${code} Scripted\r\n${lines.join("")}\r\n${text}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
