/** How an app is served. */
export interface ListenOptions extends Partial<Deno.ServeTcpOptions> {
  /** The address to show in the log instead of the one listened on. */
  readonly remoteAddress?: string;
}

const FIRST_PORT = 8000;
const LAST_PORT = 8019;

/** Serves a handler; without a port it takes the first free one of 8000–8019. Ends when the server does. */
export async function listen(
  handler: (req: Request, info: Deno.ServeHandlerInfo) => Promise<Response>,
  basePath: string,
  options: ListenOptions,
): Promise<void> {
  const { remoteAddress, ...rest } = options;
  const onListen = options.onListen ?? (({ hostname, port }: Deno.NetAddr) => {
    const host = remoteAddress ?? (hostname.includes(":") ? `[${hostname}]` : hostname);
    console.log(`Serving on http://${host}:${port}${basePath}/`);
  });
  for (let port = options.port ?? FIRST_PORT;; port++) {
    try {
      await Deno.serve({ ...rest, port, onListen }, handler).finished;
      return;
    } catch (error) {
      const isTaken = error instanceof Deno.errors.AddrInUse && options.port === undefined;
      if (!isTaken || port >= LAST_PORT) throw error;
    }
  }
}
