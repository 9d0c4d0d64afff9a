/**
 * Why a request did not go out, or its answer did not come in. Each message is a sentence that says what to do, and repeats
 * no words of a server's: it is told to a model as the house's own.
 *
 * @module
 */

/** What all of them are. */
export abstract class EgressError extends Error {
  constructor(
    /** The address that was asked for, without user information. */
    readonly url: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The address is none that may be fetched. */
export class BadAddress extends EgressError {
  override readonly name = "BadAddress";
}

/** The address leads into a network that tools may not reach. */
export class PrivateAddress extends EgressError {
  override readonly name = "PrivateAddress";
  constructor(url: string, readonly host: string, readonly address: string, readonly what: string) {
    super(
      url,
      `"${host}" is at ${address}, ${what}, which tools may not reach. ` +
        `If it is meant, a person adds "${host}" to allow_private_network under [security] in config.toml`,
    );
  }
}

/** No such host. */
export class UnknownHost extends EgressError {
  override readonly name = "UnknownHost";
  constructor(url: string, readonly host: string, options?: ErrorOptions) {
    super(url, `There is no host "${host}": check the spelling, or search for the right address`, options);
  }
}

/** The host did not take the connection, or ended it early. */
export class HostUnreachable extends EgressError {
  override readonly name = "HostUnreachable";
}

/** It took longer than it may. */
export class TooSlow extends EgressError {
  override readonly name = "TooSlow";
  constructor(url: string, readonly phase: "first byte" | "whole answer", readonly ms: number) {
    const what = phase === "first byte" ? "did not begin to answer" : "did not finish its answer";
    super(url, `${new URL(url).host} ${what} within ${ms / 1000} seconds: try again, or use another source`);
  }
}

/** The answer is larger than what is taken in, compressed or not. */
export class TooLarge extends EgressError {
  override readonly name = "TooLarge";
  constructor(url: string, readonly limit: number) {
    super(
      url,
      `The answer is larger than ${limit} bytes, which is the most that is fetched: look for a smaller version of it`,
    );
  }
}

/** It was sent on too often. */
export class TooManyRedirects extends EgressError {
  override readonly name = "TooManyRedirects";
  constructor(url: string, readonly limit: number) {
    super(url, `The address was redirected more than ${limit} times: it may need a sign-in; use another source`);
  }
}

/** The compression of the answer cannot be undone. */
export class BadEncoding extends EgressError {
  override readonly name = "BadEncoding";
  constructor(url: string, readonly encoding: string, options?: ErrorOptions) {
    const named = /^[a-z-]{1,20}$/i.test(encoding) ? ` (content-encoding "${encoding}")` : "";
    super(url, `The answer could not be unpacked${named}: use another source`, options);
  }
}
