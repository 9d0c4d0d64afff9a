/** Turns: the slot, the runner, and recovery after a crash. */
export * from "./contract.ts";
export {
  type ComposeOrder,
  DELEGATION,
  type Delegation,
  MESSAGES,
  type Messages,
  type OrderedBy,
  type SendReceipt,
  type WorkRefusal,
  type WorkReport,
} from "./delegation/mod.ts";
export * from "./approvals/mod.ts";
export { type Attachment, MAX_TEXT_FILE, NotAttachable, storeAttachment } from "./attachment.ts";
export { MAX_FILES, MAX_IMAGES, MAX_TEXT } from "./incoming.ts";
export { INTERRUPTED_NOTICE, recoverTurns } from "./recovery.ts";
export { MessageGone } from "./message_gone.ts";
export { type ActiveTurn, TurnRunner } from "./runner.ts";
export type { TurnServices } from "./turn_services.ts";
export * from "./diagnostics.ts";
export * from "./usage_report.ts";
