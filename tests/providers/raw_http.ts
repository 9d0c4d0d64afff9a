/**
 * The least HTTP/1.1 that lets a test see and break everything: bytes in and out of a TCP connection.
 *
 * @module
 */
const encoder = new TextEncoder();

/** What came in before the body's end, parsed. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** One accepted connection. */
export class RawConnection {
  readonly #connection: Deno.Conn;
  #ended = false;
  readonly closed: Promise<"client" | "server">;
  #settle: (side: "client" | "server") => void;

  constructor(connection: Deno.Conn) {
    this.#connection = connection;
    const { promise, resolve } = Promise.withResolvers<"client" | "server">();
    this.closed = promise;
    this.#settle = resolve;
  }

  /** Reads one request; `undefined` when the client went away first. */
  async request(): Promise<RawRequest | undefined> {
    let bytes = new Uint8Array();
    for (let end = -1, length = 0;;) {
      if (end < 0) {
        end = indexOfBlankLine(bytes);
        if (end >= 0) length = Number(/content-length: *(\d+)/i.exec(ascii(bytes.subarray(0, end)))?.[1] ?? 0);
      }
      if (end >= 0 && bytes.length >= end + 4 + length) {
        return parseRequest(ascii(bytes.subarray(0, end)), bytes.subarray(end + 4, end + 4 + length));
      }
      const more = await this.#read();
      if (more === undefined) return undefined;
      const joined = new Uint8Array(bytes.length + more.length);
      joined.set(bytes);
      joined.set(more, bytes.length);
      bytes = joined;
    }
  }

  /** Watches for the client to leave; call it once the request was read. */
  async watch(): Promise<void> {
    while (await this.#read() !== undefined) { /* nothing more is expected */ }
  }

  async write(data: string | Uint8Array): Promise<void> {
    let rest = typeof data === "string" ? encoder.encode(data) : data;
    while (rest.length > 0 && !this.#ended) {
      try {
        rest = rest.subarray(await this.#connection.write(rest));
      } catch {
        this.#end("client");
      }
    }
  }

  /** One piece of a chunked body. */
  async chunk(data: Uint8Array): Promise<void> {
    const head = encoder.encode(`${data.length.toString(16)}\r\n`);
    const whole = new Uint8Array(head.length + data.length + 2);
    whole.set(head);
    whole.set(data, head.length);
    whole.set([13, 10], head.length + data.length);
    await this.write(whole);
  }

  close(): void {
    this.#end("server");
  }

  async #read(): Promise<Uint8Array | undefined> {
    const buffer = new Uint8Array(65536);
    try {
      const length = await this.#connection.read(buffer);
      if (length !== null) return buffer.subarray(0, length);
    } catch { /* a reset is a way to leave, too */ }
    this.#end("client");
    return undefined;
  }

  #end(side: "client" | "server"): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#connection.close();
    this.#settle(side);
  }
}

function ascii(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

function indexOfBlankLine(bytes: Uint8Array): number {
  return ascii(bytes).indexOf("\r\n\r\n");
}

function parseRequest(head: string, body: Uint8Array): RawRequest {
  const [first = "", ...lines] = head.split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return { method, path, headers, body: new TextDecoder().decode(body) };
}
