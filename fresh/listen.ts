/** How an app is served; `remoteAddress` is shown in the log instead of the name listened on. */
export type ListenOptions = Partial<Deno.ServeTcpOptions> & { readonly remoteAddress?: string };

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
      if (!(error instanceof Deno.errors.AddrInUse) || options.port !== undefined || port >= PORTS.last) throw error;
    }
  }
}
