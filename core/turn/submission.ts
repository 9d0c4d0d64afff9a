/**
 * A message on its way in: a command, something said before, words for the turn that runs, or a turn of its own.
 *
 * Invariants (tests/core/turn/fates_test.ts)
 * 1. A message is durable before it is acknowledged, and ends in exactly one place: read by the turn that runs, or begun
 *    as a turn (K-107).
 * 2. The same token never runs twice, wherever the first one is by now, also across a restart.
 *
 * @module
 */
import { TurnNotFound } from "../conversation/mod.ts";
import type { StoredConversation } from "../conversation/mod.ts";
import type { IncomingMessage, MessageReceipt } from "./contract.ts";
import { checkMessage, keepAttachments } from "./incoming.ts";
import { canJoin, sendToBus } from "./pending_desk.ts";
import { plainMessage, type Stamp } from "./reruns.ts";
import { type CurrentTurn, inLine } from "./slot.ts";
import type { TurnLines } from "./turn_lines.ts";
import type { TurnServices } from "./turn_services.ts";
import { readTurn } from "./turn_store.ts";
import { findToken, type FoundToken, insertWaiting, keepToken, type WaitingMessage } from "./waiting_store.ts";

/** What the conversation was like when a message came. */
interface Scene {
  readonly stored: StoredConversation;
  readonly earlier: FoundToken | null;
  /** The turn that ran before, during and after the look; `undefined` when none did. */
  readonly current: CurrentTurn | undefined;
  /** `TurnLines.taken` before the look. */
  readonly taken: number;
}

export class Submissions {
  readonly #services: TurnServices;
  readonly #lines: TurnLines;
  readonly #stop: (conversation: string) => Promise<boolean>;
  readonly #underway = new Map<string, Promise<MessageReceipt>>();

  constructor(services: TurnServices, lines: TurnLines, stop: (conversation: string) => Promise<boolean>) {
    this.#services = services;
    this.#lines = lines;
    this.#stop = stop;
  }

  /** Takes a message in; one with the token of another that is on its way is the same message. */
  submit(conversation: string, message: IncomingMessage): Promise<MessageReceipt> {
    if (message.token === undefined) return this.#submit(conversation, message);
    const key = `${conversation} ${message.token}`;
    const earlier = this.#underway.get(key);
    if (earlier) return earlier;
    const receipt = this.#submit(conversation, message).finally(() => this.#underway.delete(key));
    this.#underway.set(key, receipt);
    return receipt;
  }

  async #submit(conversation: string, message: IncomingMessage): Promise<MessageReceipt> {
    const { storage, newId, now } = this.#services;
    const command = message.text.trim();
    if (command === "/stop" || command === "/diag") return await this.#command(conversation, command);
    const scene = await this.#look(conversation, message.token);
    const { stored, earlier, current } = scene;
    checkMessage(message);
    if (earlier) return receiptOf(earlier);
    const { parent, token, thinking, text } = message;
    if (parent !== undefined && !await readTurn(storage.database, conversation, parent)) {
      throw new TurnNotFound(conversation, parent);
    }
    const hasFiles = (message.images?.length ?? 0) > 0 || (message.files?.length ?? 0) > 0;
    const brought = hasFiles ? await keepAttachments(message, storage.blobs, conversation) : { images: [], files: [] };
    const stamp: Stamp = { id: newId(), at: now().toISOString() };
    const made: WaitingMessage = {
      ...plainMessage(conversation, text, stamp),
      ...brought,
      token: token ?? null,
      thinking: thinking ?? null,
      parent: parent ?? (current && current.turn !== stored.head ? stored.head : null),
    };
    const isOrdinary = parent === undefined && !message.queue;
    const joined = isOrdinary && current ? await this.#join(made, current, stored.agent) : null;
    return joined ?? await this.#lines.accept(made, this.#stillKnown(scene));
  }

  /** The conversation as it was looked at, if nothing can have been written to it since: the turn need not read it again. */
  #stillKnown({ stored, taken }: Scene): { readonly known?: StoredConversation } {
    const { id } = stored;
    const isQuiet = !this.#lines.slot(id) && taken === this.#lines.taken && !this.#lines.late.holds(id);
    return isQuiet && !this.#services.book.isRemoving(id) ? { known: stored } : {};
  }

  async #command(conversation: string, command: "/stop" | "/diag"): Promise<MessageReceipt> {
    await this.#services.book.stored(conversation);
    if (command === "/diag") return { fate: "command", text: this.#services.diagnose() };
    return { fate: "command", text: await this.#stop(conversation) ? "Stopped" : "Nothing is running here" };
  }

  /**
   * Reads the conversation at a moment when its running turn, if any, is stored: otherwise a head that is elsewhere could
   * not be told from one that has not been moved to the turn yet.
   */
  async #look(conversation: string, token: string | undefined): Promise<Scene> {
    const { book, storage } = this.#services;
    while (true) {
      const { taken } = this.#lines;
      const before = this.#lines.slot(conversation)?.current;
      await before?.begun;
      const [stored, earlier] = await Promise.all([
        book.stored(conversation),
        token === undefined ? null : findToken(storage.database, conversation, token),
      ]);
      const current = this.#lines.slot(conversation)?.current;
      if (current === before) return { stored, earlier, current, taken };
    }
  }

  /** Writes the message on the bus of the running turn, or gives `null` when that cannot read it. */
  async #join(message: WaitingMessage, current: CurrentTurn, agent: string): Promise<MessageReceipt | null> {
    if (!canJoin(message, current)) return null;
    const { conversation, token } = message;
    const { turn } = current;
    const joining = { ...message, joins: turn };
    const answered = { fate: "joined", turn, queued: false } as const;
    const kept = token === null ? [] : [keepToken(conversation, token, answered)];
    const durable = this.#services.storage.database.write([insertWaiting(joining), ...kept]);
    sendToBus(current, inLine(joining, durable), agent);
    await durable;
    this.#lines.announce(conversation);
    return { fate: "joined", turn };
  }
}

function receiptOf({ fate, turn, seq, queued }: FoundToken): MessageReceipt {
  if (fate === "joined") return { fate, turn };
  return { fate, turn, ...(seq === undefined ? {} : { seq }), ...(queued ? { queued } : {}) };
}
