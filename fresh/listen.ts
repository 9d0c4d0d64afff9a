/** How an app is served. */
export interface ListenOptions extends Partial<Deno.ServeTcpOptions> {
  /** The address to show in the log instead of the one listened on. */
  readonly remoteAddress?: string;
}

const PORTS = { first: 8000, last: 8019 };

/** Serves a handler; without a port it takes the first free one of 8000–8019. Ends when the server does. */
export async function listen(
  handler: (req: Request, info: Deno.ServeHandlerInfo) => Promise<Response>,
  basePath: string,
  { remoteAddress, ...options }: ListenOptions,
): Promise<void> {
  const onListen = ({ hostname, port }: Deno.NetAddr) => {
    console.log(`Serving on http://${remoteAddress ?? hostname}:${port}${basePath}/`);
  };
  for (let port = options.port ?? PORTS.first;; port++) {
    try {
      return await Deno.serve({ onListen, ...options, port }, handler).finished;
    } catch (error) {
      const mayGoOn = error instanceof Deno.errors.AddrInUse && options.port === undefined && port < PORTS.last;
      if (!mayGoOn) throw error;
    }
  }
}
