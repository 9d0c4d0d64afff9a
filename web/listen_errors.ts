/**
 * Why the server could not start. Each is the person's to put right: one line, exit 2.
 *
 * @module
 */

/** Something else listens there already. */
export class PortTaken extends Error {
  override readonly name = "PortTaken";
  constructor(readonly port: number, readonly host: string, options?: ErrorOptions) {
    super(
      `Port ${port} on ${host} is taken by another program: choose another with --port, or set port in [web]`,
      options,
    );
  }
}

/** The address cannot be listened on: no such interface, or a port that needs more rights. */
export class CannotListen extends Error {
  override readonly name = "CannotListen";
  constructor(readonly port: number, readonly host: string, reason: string, options?: ErrorOptions) {
    super(`Cannot listen on ${host} port ${port} (${reason}): choose others with --host and --port`, options);
  }
}

/** An address others can reach, without any authentication. */
export class OpenToAll extends Error {
  override readonly name = "OpenToAll";
  constructor(readonly host: string) {
    super(
      `[web] auth = "none" is allowed on this machine's own address only, and host is "${host}": ` +
        'set auth = "token", or host = "127.0.0.1"',
    );
  }
}

/** What `Deno.serve` threw, as one of ours; anything else as it is. */
export function listenError(error: unknown, host: string, port: number): unknown {
  if (error instanceof Deno.errors.AddrInUse) return new PortTaken(port, host, { cause: error });
  const isAddress = error instanceof Deno.errors.AddrNotAvailable || error instanceof Deno.errors.PermissionDenied;
  if (isAddress || (error instanceof Error && /lookup|resolve|os error|invalid host/.test(error.message))) {
    return new CannotListen(port, host, (error as Error).message, { cause: error });
  }
  return error;
}
