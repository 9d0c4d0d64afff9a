/** The waiting message was read or run meanwhile, taken back, or never was. */
export class MessageGone extends Error {
  override readonly name = "MessageGone";
  constructor(readonly message_id: string) {
    super("This message is not waiting any more: it was read or run meanwhile, or taken back");
  }
}
