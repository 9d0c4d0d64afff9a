/**
 * What can be wrong with a request about a conversation. Each message is a sentence for the person.
 *
 * @module
 */

/** No conversation has this id. */
export class ConversationNotFound extends Error {
  override readonly name = "ConversationNotFound";
  constructor(readonly id: string) {
    super(`No conversation "${id}": it may have been deleted`);
  }
}

/** The conversation has no turn with this id. */
export class TurnNotFound extends Error {
  override readonly name = "TurnNotFound";
  constructor(readonly conversation: string, readonly turn: string) {
    super(`No turn "${turn}" in this conversation`);
  }
}

/** A turn runs there, and what was asked has to wait for its end. */
export class TurnInFlight extends Error {
  override readonly name = "TurnInFlight";
  constructor(readonly conversation: string) {
    super("A turn is running in this conversation: stop it or wait for its end, then try again");
  }
}

/** The title is no longer the one the person was shown (K-067). */
export class TitleMoved extends Error {
  override readonly name = "TitleMoved";
  constructor(readonly title: string) {
    super(`The title was changed to "${title}" meanwhile: look at it, then rename again`);
  }
}

/** The request cannot be done as it was written; `path` names the field. */
export class BadRequest extends Error {
  override readonly name = "BadRequest";
  constructor(readonly path: string, message: string) {
    super(message);
  }
}
