/**
 * A program on the live socket that asks to watch a conversation and then takes nothing of what it is sent.
 *
 * @module
 */
import assert from "node:assert/strict";

export class DeafReader implements Disposable {
  readonly #connection: Deno.Conn;

  private constructor(connection: Deno.Conn) {
    this.#connection = connection;
  }

  /** Opens a socket by hand, since one of the platform's own reads whether it is asked to or not. */
  static async open(url: string, token: string, conversation: string): Promise<DeafReader> {
    const { hostname, port, host } = new URL(url);
    const connection = await Deno.connect({ hostname, port: Number(port) });
    const head = [
      "GET /live HTTP/1.1",
      `host: ${host}`,
      "connection: upgrade",
      "upgrade: websocket",
      "sec-websocket-version: 13",
      "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
      `authorization: Bearer ${token}`,
    ];
    await write(connection, new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n`));
    let seen = "";
    while (!seen.includes('"op":"hello"')) seen += await read(connection) ?? assert.fail(`closed after ${seen}`);
    await write(connection, frame(JSON.stringify({ op: "watch", conversation, after: 0 })));
    return new DeafReader(connection);
  }

  /** Reads at last, up to a text; throws when the connection ends without it. */
  async readUpTo(text: string): Promise<void> {
    let tail = "";
    while (!tail.includes(text)) {
      tail = tail.slice(-text.length) + (await read(this.#connection) ?? assert.fail(`closed without "${text}"`));
    }
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}

async function read(connection: Deno.Conn): Promise<string | undefined> {
  const buffer = new Uint8Array(64 * 1024);
  const length = await connection.read(buffer).catch(() => null);
  return length === null ? undefined : new TextDecoder("latin1").decode(buffer.subarray(0, length));
}

async function write(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

/** One short text frame of a client: masked, as the protocol asks, with a mask of zeros. */
function frame(text: string): Uint8Array {
  const payload = new TextEncoder().encode(text);
  assert.ok(payload.length < 126);
  return new Uint8Array([0x81, 0x80 | payload.length, 0, 0, 0, 0, ...payload]);
}
