/**
 * What requests about a conversation share.
 *
 * @module
 */
import type { Assistant } from "../core/assistant.ts";
import { ConversationNotFound } from "../core/conversation/mod.ts";
import type { Conversation } from "../core/log/mod.ts";
import { json } from "./operation_handler.ts";
import type { OperationName } from "./operations.ts";
import type { State } from "./state.ts";

/** Throws `ConversationNotFound` unless there is a conversation with exactly this id. Reads no turns. */
export async function requireConversation(assistant: Pick<Assistant, "conversations">, id: string): Promise<void> {
  if (await assistant.conversations.resolve(id) !== id) throw new ConversationNotFound(id);
}

/** The answer that a conversation was made, with its address. */
export function conversationMade(name: OperationName, made: Conversation, { services }: State): Response {
  return json(name, made, { location: `${services.basePath}/api/conversations/${made.id}` });
}
