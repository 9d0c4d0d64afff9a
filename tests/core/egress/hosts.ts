/**
 * Real servers on loopback, and doors that may reach them.
 *
 * @module
 */
import { createEgress, type Egress, type EgressOptions } from "../../../core/egress/mod.ts";

/** A request as it came in. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
}

export interface Host extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** What came in, in order. */
  readonly requests: readonly Received[];
}

/** A server that answers with `handler`. */
export function serve(handler: (request: Request) => Response | Promise<Response>, tls?: Tls): Host {
  const requests: Received[] = [];
  const answer = (request: Request) => {
    const { method, url } = request;
    requests.push({ method, url, headers: new Headers(request.headers) });
    return handler(request);
  };
  const server = tls
    ? Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {}, ...tls }, answer)
    : Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, answer);
  const { port } = server.addr;
  const scheme = tls ? "https" : "http";
  return { port, origin: `${scheme}://127.0.0.1:${port}`, requests, [Symbol.asyncDispose]: () => server.shutdown() };
}

export interface Tls {
  readonly cert: string;
  readonly key: string;
}

/** A server that writes bytes of its own choosing once a request is in, for answers no server library gives. */
export function serveBytes(write: (connection: Deno.TcpConn) => Promise<void>): Omit<Host, "requests"> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Promise<void>>();
  const accepting = (async () => {
    for await (const connection of listener) {
      const done = (async () => {
        try {
          await connection.read(new Uint8Array(64_000));
          await write(connection);
        } catch {
          // The client has gone, which is what these tests are about.
        } finally {
          try {
            connection.close();
          } catch { /* closed by the writer */ }
        }
      })();
      open.add(done);
      done.finally(() => open.delete(done));
    }
  })();
  const { port } = listener.addr;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting.catch(() => {});
      await Promise.all(open);
    },
  };
}

/** A door that may reach loopback. */
export function openDoor(options: Partial<EgressOptions> = {}): Egress {
  return createEgress({ allow: ["127.0.0.1"], ...options });
}

/** What a request is refused with. */
export async function refusal(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("it was not refused");
}
