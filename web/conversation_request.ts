/**
 * What requests about a conversation share.
 *
 * @module
 */
import type { Assistant } from "../core/assistant.ts";
import { ConversationNotFound } from "../core/conversation/mod.ts";

/** Throws `ConversationNotFound` unless there is a conversation with exactly this id. Reads no turns. */
export async function requireConversation(assistant: Pick<Assistant, "conversations">, id: string): Promise<void> {
  if (await assistant.conversations.resolve(id) !== id) throw new ConversationNotFound(id);
}
