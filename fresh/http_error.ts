/**
 * An answer that is an error. Throw it anywhere in a handler, a middleware or a page: the nearest `_error` page above,
 * or the plain default, answers with its status. The message is not defaulted: an empty one means "the status text".
 */
export class HttpError extends Error {
  override readonly name = "HttpError";

  /** @param status the HTTP status, 400–599 */
  constructor(readonly status: number, message?: string, options?: ErrorOptions) {
    super(message, options);
  }
}
