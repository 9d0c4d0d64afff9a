/**
 * The beginning of a turn: its row and its message, in one transaction with the end of the message's waiting.
 *
 * @module
 */
import { modelStringFor } from "../agent/mod.ts";
import { placeholderTitle, type StoredConversation } from "../conversation/mod.ts";
import type { Entry, Turn, UserData } from "../log/mod.ts";
import { tokensOf } from "./follow_up.ts";
import type { TurnServices } from "./turn_services.ts";
import { insertTurn, readTurn } from "./turn_store.ts";
import { deleteWaiting, type WaitingMessage } from "./waiting_store.ts";

/** A turn that has begun, with what began it. */
export interface Begun {
  readonly turn: Turn;
  readonly said: Entry<"user">;
}

/** Writes the turn and its message. `known` is the conversation as it stands, which saves reading it again. */
export async function beginTurn(
  services: TurnServices,
  message: WaitingMessage,
  known?: StoredConversation,
): Promise<Begun> {
  const { book, log, feed, source, storage, defaultModel, now } = services;
  const { id, conversation } = message;
  const [stored] = await Promise.all([known ?? book.stored(conversation), log.open(conversation, known?.last_seq)]);
  // Only now: `stored` waits while turns are removed, and the parent may be one of them. Then it follows the head.
  const parent = message.parent === null ? null : await readTurn(storage.database, conversation, message.parent);
  const follows = message.atRoot ? null : parent ?? { id: stored.head, n: stored.head_n };
  const at = now().toISOString();
  const turn: Turn = {
    id,
    conversation,
    n: (follows?.n ?? 0) + 1,
    parent: follows?.id ?? null,
    origin: message.origin,
    status: "running",
    agent: stored.agent,
    model: message.model ?? stored.model ?? modelStringFor(source.config, stored.agent, await defaultModel()),
    thinking: message.thinking,
    usage: null,
    failure: null,
    token: message.token,
    started_at: at,
    ended_at: null,
  };
  const waited = [message, ...message.merges ?? []];
  const said = await log.append(conversation, { turn: id, kind: "user", data: userData(message) }, {
    also: [...waited.map((each) => deleteWaiting(each.id)), insertTurn(turn), {
      // The title is decided here, so that a name given since `stored` was read stays.
      sql: `update conversations set head = ?, updated_at = ?, turn_count = turn_count + 1,
              title = case when turn_count = 0 and title_kind = 'placeholder' then ? else title end
            where id = ?`,
      args: [id, at, placeholderTitle(message.text), conversation],
    }],
    announceFirst: () => {
      feed.announce({ op: "turn", conversation, turn });
      feed.announce({ op: "head", conversation, head: id });
    },
  });
  book.announce(conversation).catch(() => {});
  return { turn, said };
}

function userData(message: WaitingMessage): UserData {
  const { text, images, files, from, token, injected } = message;
  const tokens = tokensOf(message);
  return {
    text,
    images,
    ...(files.length > 0 ? { files } : {}),
    from,
    ...(token ? { token } : {}),
    ...(tokens && tokens.length > 0 ? { tokens } : {}),
    ...(injected ? { injected } : {}),
  };
}
