/**
 * What a provider's client is made with.
 *
 * @module
 */

/** Effects and limits of a provider's client, all replaceable in a test. */
export interface ProviderOptions {
  readonly fetch?: typeof fetch;
  /** Reads an environment variable; keys come from nowhere else. */
  readonly env: (name: string) => string | undefined;
  /** Told once per client about each thing left out of a request (K-312). */
  readonly onWarning?: (text: string) => void;
  /** Milliseconds without a byte after which a stream counts as stalled. Default 120000. */
  readonly stallTimeoutMs?: number;
  /** Attempts before the first token, the first one included. Default 4; connection failures to a local address are tried once. */
  readonly attempts?: number;
  /** Milliseconds; the base of the exponential backoff. Default 500. */
  readonly backoffMs?: number;
  /** In [0, 1); spreads the backoff. */
  readonly random?: () => number;
  /** Milliseconds since 1970; only to read a `retry-after` that is a date. */
  readonly now?: () => number;
}
