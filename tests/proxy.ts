/**
 * A small reverse proxy as others write them: it serves the product below a prefix, passes `Host` on, adds `X-Forwarded-*`,
 * drops what holds for one hop only, and lets sockets through.
 *
 * @module
 */

/** Headers that hold between two neighbours and are not passed on. */
const ONE_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export interface ProxyOptions {
  /** Where the product listens. */
  readonly port: number;
  /** Such as `/assistant`. */
  readonly prefix: string;
  /** Whether the prefix is passed on, or taken away. */
  readonly mode: "keeps" | "strips";
}

export interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** Paths outside of the prefix that were asked for: on a real machine, somebody else's. */
  readonly outside: readonly string[];
  /** Requests passed on, as `METHOD path`. */
  readonly passed: readonly string[];
}

/** Starts it on a free port of loopback. */
export function startProxy({ port, prefix, mode }: ProxyOptions): Proxy {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const outside: string[] = [];
  const passed: string[] = [];
  const open = new Set<Deno.Conn>();

  async function serve(client: Deno.Conn): Promise<void> {
    open.add(client);
    let server: Deno.Conn | null = null;
    try {
      const { head, rest } = await readHead(client);
      const [method = "", path = ""] = (head[0] ?? "").split(" ");
      if (!path.startsWith(`${prefix}/`)) {
        outside.push(path);
        await write(client, "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        return;
      }
      passed.push(`${method} ${path}`);
      open.add(server = await Deno.connect({ hostname: "127.0.0.1", port }));
      const target = mode === "keeps" ? path : path.slice(prefix.length);
      await write(server, [`${method} ${target} HTTP/1.1`, ...passedOn(head.slice(1)), "", ""].join("\r\n"));
      await writeAll(server, rest);
      await Promise.race([pipe(client, server), pipe(server, client)]);
    } catch {
      // Either side went away.
    } finally {
      for (const side of [client, server]) if (side) close(side);
    }
  }

  function close(side: Deno.Conn): void {
    if (!open.delete(side)) return;
    side.close();
  }

  const accepting = (async () => {
    for await (const client of listener) void serve(client);
  })();
  return {
    port: listener.addr.port,
    outside,
    passed,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const side of [...open]) close(side);
      await accepting;
    },
  };
}

/** The headers of the next hop. A body keeps its own framing, since its bytes are passed on as they are. */
function passedOn(headers: readonly string[]): string[] {
  const nameOf = (line: string) => line.slice(0, line.indexOf(":")).toLowerCase();
  const isSocket = headers.some((line) => nameOf(line) === "upgrade" && /websocket/i.test(line));
  const framing = headers.filter((line) => nameOf(line) === "transfer-encoding");
  return [
    ...headers.filter((line) => !ONE_HOP.has(nameOf(line))),
    ...framing,
    ...isSocket ? ["connection: upgrade", "upgrade: websocket"] : ["connection: close"],
    "x-forwarded-for: 192.0.2.7",
    "x-forwarded-proto: http",
  ];
}

async function readHead(from: Deno.Conn): Promise<{ head: string[]; rest: Uint8Array }> {
  let bytes = new Uint8Array();
  const piece = new Uint8Array(64 * 1024);
  for (;;) {
    const end = new TextDecoder("latin1").decode(bytes).indexOf("\r\n\r\n");
    if (end >= 0) {
      return {
        head: new TextDecoder("latin1").decode(bytes.subarray(0, end)).split("\r\n"),
        rest: bytes.slice(end + 4),
      };
    }
    const length = await from.read(piece);
    if (length === null) throw new Deno.errors.UnexpectedEof();
    bytes = new Uint8Array([...bytes, ...piece.subarray(0, length)]);
  }
}

/** Passes bytes on until one side ends. */
async function pipe(from: Deno.Conn, to: Deno.Conn): Promise<void> {
  const piece = new Uint8Array(64 * 1024);
  for (let length = await from.read(piece); length !== null; length = await from.read(piece)) {
    await writeAll(to, piece.subarray(0, length));
  }
}

async function write(to: Deno.Conn, text: string): Promise<void> {
  await writeAll(to, new TextEncoder().encode(text));
}

async function writeAll(to: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let sent = 0; sent < bytes.length;) sent += await to.write(bytes.subarray(sent));
}
