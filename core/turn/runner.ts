/**
 * Turns: takes messages in, gives each conversation its slot, runs the agent, and closes the turn.
 *
 * Invariants (all in tests/core/turn/runner_test.ts)
 * 1. A message is durable before it is acknowledged, and is run exactly once, in the order of arrival.
 * 2. The same token never starts a second turn, also across a restart.
 * 3. At most one turn runs per conversation; conversations run side by side.
 * 4. Whatever happens, a turn ends with a status, its usage, and its partial text (K-094).
 * 5. Stopping ends one conversation's turn and nothing else (K-112); what waits behind it then runs.
 *
 * @module
 */
import {
  type Agent,
  type AgentSource,
  buildAgent,
  modelStringFor,
  Recorder,
  RESUME_PROMPT,
  runAgent,
  type RunOutcome,
  ToolLock,
} from "../agent/mod.ts";
import {
  BadRequest,
  type ConversationBook,
  placeholderTitle,
  TurnInFlight,
  TurnNotFound,
} from "../conversation/mod.ts";
import {
  type CallUsage,
  type Entry,
  errorText,
  type Feed,
  foldUsage,
  type Log,
  type Turn,
  TURN_COLUMNS,
  turnOfRow,
} from "../log/mod.ts";
import type { ModelClient } from "../model/mod.ts";
import { type Database, type Storage, StorageClosed } from "../storage/mod.ts";
import { ContextCache } from "./context_cache.ts";
import type { IncomingMessage, MessageReceipt, Turns } from "./contract.ts";
import { checkMessage, cleanText, keepImages } from "./incoming.ts";
import { endingNotice } from "./ending_notice.ts";
import { LateClosing } from "./late_closing.ts";
import { recoverTurns } from "./recovery.ts";
import { Slot } from "./slot.ts";
import { deleteWaiting, endTurn, findToken, insertTurn, insertWaiting, readWaiting } from "./turn_store.ts";
import type { WaitingMessage } from "./turn_store.ts";

export interface TurnServices {
  readonly storage: Storage;
  readonly log: Log;
  readonly feed: Feed;
  readonly book: ConversationBook;
  readonly source: AgentSource;
  readonly now: () => Date;
  readonly newId: () => string;
  /** The default model string, once it is resolved. */
  readonly defaultModel: () => Promise<string>;
  /** The client of a model string. Throws a sentence for the person when there can be none. */
  readonly modelClient: (model: string) => Promise<ModelClient>;
  readonly costOf: (model: ModelClient, usage: CallUsage) => number | undefined;
  /** The text `/diag` answers with. */
  readonly diagnose: () => string;
  readonly report: (level: "INFO" | "WARNING" | "ERROR", subsystem: string, message: string) => void;
}

/** A turn that runs now, as the diagnostics show it. */
export interface ActiveTurn {
  readonly conversation: string;
  readonly turn: string;
  readonly phase: string;
  readonly age_seconds: number;
  readonly message: string;
}

export class TurnRunner implements Turns {
  readonly #services: TurnServices;
  readonly #database: Database;
  readonly #contexts: ContextCache;
  readonly #lock = new ToolLock();
  readonly #late: LateClosing;
  readonly #slots = new Map<string, Slot>();
  readonly #holds = new Set<Promise<void>>();
  readonly #submitting = new Map<string, Promise<MessageReceipt>>();
  #isClosed = false;

  constructor(services: TurnServices) {
    this.#services = services;
    this.#database = services.storage.database;
    this.#contexts = new ContextCache(services.log, services.source.config.assistant.agentCacheCap);
    const { log, feed, now } = services;
    this.#late = new LateClosing({ database: this.#database, log, feed, now });
  }

  /** Closes what a crash left open, then runs the messages that were accepted before it. */
  async recover(): Promise<void> {
    const { report, now } = this.#services;
    const interrupted = await recoverTurns(this.#database, now);
    if (interrupted > 0) report("WARNING", "turns", `closed ${interrupted} interrupted turns`);
    for (const message of await readWaiting(this.#database)) {
      this.#accept(message, Promise.resolve()).catch((error) => report("ERROR", "turns", errorText(error)));
    }
  }

  /** @inheritdoc */
  submit(conversation: string, message: IncomingMessage): Promise<MessageReceipt> {
    if (message.token === undefined) return this.#submit(conversation, message);
    const key = `${conversation} ${message.token}`;
    const earlier = this.#submitting.get(key);
    if (earlier) return earlier;
    const receipt = this.#submit(conversation, message).finally(() => this.#submitting.delete(key));
    this.#submitting.set(key, receipt);
    return receipt;
  }

  /** @inheritdoc */
  async stop(conversation: string): Promise<boolean> {
    const slot = this.#slots.get(conversation);
    if (!slot?.current) return false;
    const over = slot.over;
    slot.end("person");
    await over;
    return true;
  }

  /** @inheritdoc */
  async resume(conversation: string): Promise<Turn> {
    const { head } = await this.#services.book.stored(conversation);
    if (this.isRunning(conversation)) throw new TurnInFlight(conversation);
    await this.#late.settle(conversation);
    const turn = head === null ? null : await this.#turn(conversation, head);
    if (!turn || turn.status === "done" || turn.status === "running") {
      throw new BadRequest("", "There is nothing to go on with: the last turn came to its end. Send a message instead");
    }
    const message = this.#message(conversation, { text: RESUME_PROMPT }, { origin: "follow_up", from: "loop" });
    await this.#accept({ ...message, injected: "continuation" });
    return await this.#turn(conversation, message.id) ?? turn;
  }

  /** @inheritdoc */
  running(): readonly string[] {
    return [...this.#slots.keys()];
  }

  /** Whether a turn runs there now. */
  isRunning(conversation: string): boolean {
    return this.#slots.has(conversation);
  }

  /** What runs now; answers from memory (K-309). */
  active(): readonly ActiveTurn[] {
    const now = this.#services.now().getTime();
    return [...this.#slots].flatMap(([conversation, { current, phase }]) =>
      current
        ? [{
          conversation,
          turn: current.turn,
          phase,
          age_seconds: (now - current.since) / 1000,
          message: current.message,
        }]
        : []
    );
  }

  /** How many messages wait for a slot. */
  get waiting(): number {
    return [...this.#slots.values()].reduce((sum, slot) => sum + slot.waiting, 0);
  }

  /** Ends the conversation's turn and forgets what waits behind it: it is being deleted. */
  async drop(conversation: string): Promise<void> {
    const slot = this.#slots.get(conversation);
    const dropped = slot?.clear() ?? [];
    if (slot?.current) {
      const over = slot.over;
      slot.end("deletion");
      await over;
    }
    if (dropped.length > 0) await this.#database.write(dropped.map(({ message }) => deleteWaiting(message.id)));
  }

  /** Ends every turn as interrupted and waits until each is closed. What waits stays for the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const slot of this.#slots.values()) {
      slot.clear();
      slot.end("shutdown");
    }
    await Promise.allSettled(this.#holds);
    this.#late.close();
  }

  async #submit(conversation: string, message: IncomingMessage): Promise<MessageReceipt> {
    const { book, storage } = this.#services;
    const { token } = message;
    const [earlier] = await Promise.all([
      token === undefined ? null : findToken(this.#database, conversation, token),
      book.stored(conversation),
    ]);
    const command = message.text.trim();
    if (command === "/stop") {
      const stopped = await this.stop(conversation);
      return { fate: "command", text: stopped ? "Stopped" : "Nothing is running here" };
    }
    if (command === "/diag") return { fate: "command", text: this.#services.diagnose() };
    checkMessage(message);
    if (earlier) {
      const { turn, seq, queued } = earlier;
      return { fate: "turn", turn, ...(seq === undefined ? {} : { seq }), ...(queued ? { queued } : {}) };
    }
    if (message.parent !== undefined && !await this.#turn(conversation, message.parent)) {
      throw new TurnNotFound(conversation, message.parent);
    }
    const images = await keepImages(message.images, storage.blobs, conversation);
    return await this.#accept(this.#message(conversation, message, { origin: "person", from: "person", images }));
  }

  #message(
    conversation: string,
    { text, token, thinking, parent }: IncomingMessage,
    rest: Pick<WaitingMessage, "origin" | "from"> & { images?: WaitingMessage["images"] },
  ): WaitingMessage {
    const { newId, now } = this.#services;
    return {
      id: newId(),
      conversation,
      parent: parent ?? null,
      token: token ?? null,
      text: cleanText(text),
      images: rest.images ?? [],
      thinking: thinking ?? null,
      origin: rest.origin,
      from: rest.from,
      at: now().toISOString(),
    };
  }

  /** Gives the message the slot, or a place in line behind whoever holds it. `stored` is given when it is on disk already. */
  async #accept(message: WaitingMessage, stored?: Promise<unknown>): Promise<MessageReceipt> {
    if (this.#isClosed) throw new StorageClosed();
    const held = this.#slots.get(message.conversation);
    if (held) {
      const durable = stored ?? this.#database.write([insertWaiting(message)]);
      held.enqueue({ message, durable });
      await durable;
      return { fate: "turn", turn: message.id, queued: true };
    }
    const slot = new Slot();
    this.#slots.set(message.conversation, slot);
    const started = Promise.withResolvers<number>();
    const hold = this.#hold(slot, message, started);
    this.#holds.add(hold);
    hold.finally(() => this.#holds.delete(hold));
    return { fate: "turn", turn: message.id, seq: await started.promise };
  }

  /** Runs the message, and then whatever has come into line meanwhile. */
  async #hold(slot: Slot, first: WaitingMessage, started: PromiseWithResolvers<number>): Promise<void> {
    const { book, log } = this.#services;
    const { conversation } = first;
    try {
      for (let message: WaitingMessage | undefined = first; message; message = await nextInLine(slot)) {
        await this.#take(slot, message, started);
        if (slot.endedBy === "shutdown" || slot.endedBy === "deletion") break;
      }
    } finally {
      this.#slots.delete(conversation);
      log.release(conversation);
      await book.announce(conversation).catch(() => {});
    }
  }

  async #take(slot: Slot, message: WaitingMessage, started: PromiseWithResolvers<number>): Promise<void> {
    const { report, now } = this.#services;
    slot.begin(message.id, message.text.slice(0, 120), now().getTime());
    try {
      const { turn, said } = await this.#begin(message);
      started.resolve(said.seq);
      await this.#run(slot, turn, said);
    } catch (error) {
      started.promise.catch(() => {});
      started.reject(error);
      report("ERROR", "turns", `a turn could not be stored: ${errorText(error)}`);
    } finally {
      slot.turnOver();
    }
  }

  /** Writes the turn and its message in one transaction. */
  async #begin(message: WaitingMessage): Promise<{ turn: Turn; said: Entry<"user"> }> {
    const { book, log, feed, source, defaultModel, now } = this.#services;
    const { id, conversation } = message;
    await this.#late.settle(conversation);
    const [stored, parent] = await Promise.all([
      book.stored(conversation),
      message.parent === null ? null : this.#turn(conversation, message.parent),
      log.open(conversation),
    ]);
    const at = now().toISOString();
    const turn: Turn = {
      id,
      conversation,
      n: (parent?.n ?? stored.head_n) + 1,
      parent: parent?.id ?? stored.head,
      origin: message.origin,
      status: "running",
      agent: stored.agent,
      model: stored.model ?? modelStringFor(source.config, stored.agent, await defaultModel()),
      thinking: message.thinking,
      usage: null,
      failure: null,
      token: message.token,
      started_at: at,
      ended_at: null,
    };
    const { text, images, from, token, injected } = message;
    const data = { text, images, from, ...(token ? { token } : {}), ...(injected ? { injected } : {}) };
    const said = await log.append(conversation, { turn: id, kind: "user", data }, {
      also: [deleteWaiting(id), insertTurn(turn), {
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

  async #run(slot: Slot, turn: Turn, said: Entry): Promise<void> {
    const { log, now, report, storage, source, costOf } = this.#services;
    const { conversation, id } = turn;
    const recorder = new Recorder(log, { conversation, turn: id }, now);
    let outcome: RunOutcome;
    try {
      const agent = await this.#agent(turn);
      const history = await this.#contexts.upTo(conversation, turn.parent);
      const { budgetTokens: tokens, budgetCost: cost, captureRequests } = source.config.assistant;
      outcome = await runAgent(agent, { history, said: [said] }, {
        recorder,
        blobs: storage.blobs,
        lock: this.#lock,
        now,
        captureRequests,
        costOf: (usage) => costOf(agent.model, usage),
        budget: { tokens, cost },
        onPhase: (phase) => slot.phase = phase,
      }, slot.controller.signal);
      this.#contexts.keep(turn.parent, id, [...history, ...recorder.context([said])]);
    } catch (error) {
      report("ERROR", "turns", `turn ${id} failed: ${errorText(error)}`);
      outcome = { status: "failed", failure: errorText(error), calls: [] };
    }
    await this.#end(slot, turn, recorder, outcome);
  }

  async #agent(turn: Turn): Promise<Agent> {
    const client = await this.#services.modelClient(turn.model);
    return buildAgent(this.#services.source, turn.agent, client, turn.thinking ?? undefined);
  }

  async #end(slot: Slot, turn: Turn, recorder: Recorder, outcome: RunOutcome): Promise<void> {
    const { feed, log, now, report } = this.#services;
    const { conversation } = turn;
    const ended = now();
    const isInterrupted = outcome.status === "stopped" && slot.endedBy === "shutdown";
    const closed: Turn = {
      ...turn,
      status: isInterrupted ? "interrupted" : outcome.status,
      usage: foldUsage(outcome.calls, Math.max(0, (ended.getTime() - Date.parse(turn.started_at)) / 1000)),
      failure: "failure" in outcome ? outcome.failure : null,
      ended_at: ended.toISOString(),
    };
    const statements = [endTurn(closed), {
      sql: "update conversations set updated_at = ? where id = ?",
      args: [ended.toISOString(), conversation],
    }];
    const notice = endingNotice(closed, slot.endedBy);
    try {
      await log.open(conversation);
      await recorder.settled();
      if (notice) await log.append(conversation, { turn: turn.id, kind: "notice", data: notice }, { also: statements });
      else await this.#database.write(statements);
    } catch (error) {
      // The store is full or broken, and what is on disk still says "running".
      report("ERROR", "turns", `turn ${turn.id} could not be closed: ${errorText(error)}`);
      this.#late.add(closed, notice);
    }
    feed.announce({ op: "turn", conversation, turn: closed });
  }

  async #turn(conversation: string, id: string): Promise<Turn | null> {
    const [row] = await this.#database.read(
      `select ${TURN_COLUMNS} from turns where conversation = ? and id = ?`,
      [conversation, id],
    );
    return row ? turnOfRow(row) : null;
  }
}

/** The next message in line that is durable; one that could not be stored was refused to its sender. */
async function nextInLine(slot: Slot): Promise<WaitingMessage | undefined> {
  for (let next = slot.next(); next; next = slot.next()) {
    const isStored = await next.durable.then(() => true, () => false);
    if (isStored) return next.message;
  }
  return undefined;
}
