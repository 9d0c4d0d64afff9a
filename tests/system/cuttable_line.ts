/**
 * A line to a server that can be cut and mended, as a network is: bytes in between, nothing understood.
 *
 * @module
 */
export class CuttableLine implements AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #target: Deno.ConnectOptions;
  readonly #ends = new Set<Deno.Conn>();
  readonly #work = new Set<Promise<void>>();
  #isCut = false;

  /** A line to the server at that address. */
  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#target = { hostname, port: Number(port) };
    this.#track(this.#accept());
  }

  /** Where the server is reached through the line. */
  get url(): string {
    return `http://127.0.0.1:${(this.#listener.addr as Deno.NetAddr).port}`;
  }

  /** Breaks every connection, and each new one until `mend()`. */
  cut(): void {
    this.#isCut = true;
    for (const end of this.#ends) close(end);
    this.#ends.clear();
  }

  mend(): void {
    this.#isCut = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#listener.close();
    await Promise.all(this.#work);
  }

  async #accept(): Promise<void> {
    for (;;) {
      const near = await this.#listener.accept().catch(() => null);
      if (near === null) return;
      if (this.#isCut) close(near);
      else this.#track(this.#join(near));
    }
  }

  async #join(near: Deno.Conn): Promise<void> {
    this.#ends.add(near);
    const far = await Deno.connect(this.#target).catch(() => null);
    if (far === null || this.#isCut) {
      close(near);
      if (far) close(far);
      return;
    }
    this.#ends.add(far);
    const ways = [near.readable.pipeTo(far.writable), far.readable.pipeTo(near.writable)];
    await Promise.allSettled(ways);
    for (const end of [near, far]) {
      close(end);
      this.#ends.delete(end);
    }
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }
}

function close(end: Deno.Conn): void {
  try {
    end.close();
  } catch {
    // It was closed by the other side.
  }
}
