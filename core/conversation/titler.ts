/**
 * Titles made by the conversation's own model, in the background: once after the first turn that came to its end, and
 * whenever a person asks for one (K-065…K-067, K-070).
 *
 * Invariants (tests/core/conversation/titler_test.ts)
 * 1. No turn and no request waits for a title, nor does the end of the process: what is on its way is called off.
 * 2. A title is written only over the one it was made to replace, and never into a deleted conversation.
 * 3. Without being asked it names a conversation once at most, and none that a task made or that has a name.
 * 4. Whatever goes wrong is a DEBUG line and nothing else.
 *
 * Its calls are in no turn and in no usage: what they took is in the DEBUG line.
 *
 * @module
 */
import { type CallUsage, errorText, type Feed, type Log, type LogOperation } from "../log/mod.ts";
import { isDemo, type ModelClient, type ModelEvent, type ModelInfo } from "../model/mod.ts";
import type { ConversationBook, StoredConversation } from "./book.ts";
import type { Titles } from "./contract.ts";
import { cleanTitle, firstCharacters } from "./title.ts";
import { condense, OPENING_LENGTH, type Said, saidIn, titleRequest, TRANSCRIPT_LENGTH } from "./title_request.ts";

/** After this long a title is given up, in milliseconds: a model that cannot help thinking, or a slow machine. */
const PATIENCE_MS = 60_000;

/** The longest answer that is read, in UTF-16 code units. */
const LONGEST_ANSWER = 4_000;

/** Entries read at a time. */
const PAGE = 200;

export interface TitlerServices {
  readonly book: Pick<ConversationBook, "stored" | "retitle" | "announce">;
  readonly log: Pick<Log, "entries" | "turns">;
  readonly feed: Feed;
  /** `generate_titles`. */
  readonly isOn: () => boolean;
  /** The conversation's own model. Throws a sentence when there can be none. */
  readonly modelOf: (conversation: StoredConversation) => Promise<ModelClient>;
  readonly report: (level: "DEBUG", subsystem: string, message: string) => void;
  readonly patienceMs?: number;
}

/** What a title is made of: the first message alone, or as much of the conversation as fits. */
type Part = "opening" | "whole";

export class Titler implements Titles {
  readonly #services: TitlerServices;
  readonly #underWay = new Map<string, AbortController>();
  readonly #unsubscribe: () => void;
  #isClosed = false;

  constructor(services: TitlerServices) {
    this.#services = services;
    this.#unsubscribe = services.feed.subscribe((operation) => this.#hear(operation));
  }

  /** @inheritdoc */
  async request(id: string): Promise<void> {
    const { book } = this.#services;
    const conversation = await book.stored(id);
    if (this.#isClosed) return;
    // One that is under way knows less of the conversation.
    this.#underWay.get(id)?.abort(new Error("a newer request took its place"));
    this.#start(id, async (signal) => {
      try {
        await this.#name(conversation, "whole", signal);
      } finally {
        if (!this.#isClosed && this.#underWay.get(id)?.signal === signal) await book.announce(id);
      }
    });
  }

  /** Calls off every title that is under way, and waits for none. */
  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    for (const controller of this.#underWay.values()) controller.abort(new Error("Malama is shutting down"));
  }

  #hear(operation: LogOperation): void {
    if (operation.op === "conversation_removed") {
      this.#underWay.get(operation.conversation)?.abort(new Error("the conversation was deleted"));
    }
    if (operation.op !== "turn" || operation.turn.status !== "done" || !this.#services.isOn()) return;
    const { id: turn, conversation: id } = operation.turn;
    if (!this.#underWay.has(id)) this.#start(id, (signal) => this.#nameFirst(id, turn, signal));
  }

  /** Does the work in the background, as the one thing under way for this conversation. */
  #start(id: string, work: (signal: AbortSignal) => Promise<void>): void {
    const { report, patienceMs = PATIENCE_MS } = this.#services;
    const controller = new AbortController();
    const { signal } = controller;
    this.#underWay.set(id, controller);
    const timer = setTimeout(() => controller.abort(new Error("the model took too long")), patienceMs);
    work(signal)
      .catch((error) =>
        report("DEBUG", "titles", `no title for ${id}: ${errorText(signal.aborted ? signal.reason : error)}`)
      )
      .finally(() => {
        clearTimeout(timer);
        if (this.#underWay.get(id) === controller) this.#underWay.delete(id);
      });
  }

  /** Names a conversation if this is its first turn that came to its end. */
  async #nameFirst(id: string, turn: string, signal: AbortSignal): Promise<void> {
    const { book, log } = this.#services;
    const conversation = await book.stored(id);
    if (conversation.title_kind !== "placeholder" || conversation.task !== null) return;
    const done = (await log.turns(id)).filter(({ status }) => status === "done");
    if (done.length !== 1 || done[0]?.id !== turn) return;
    await this.#name(conversation, "opening", signal);
    await book.announce(id);
  }

  /** Makes a title and writes it. Throws the reason when the conversation keeps the one it has. */
  async #name(conversation: StoredConversation, part: Part, signal: AbortSignal): Promise<void> {
    const { book, modelOf, report } = this.#services;
    const model = await modelOf(conversation);
    if (!canName(model.info, part)) throw new Error(`${model.info.string} makes none`);
    const text = part === "opening" ? await this.#opening(conversation.id) : await this.#whole(conversation.id);
    if (text === "") throw new Error("nothing was said in it");
    signal.throwIfAborted();
    const title = cleanTitle(
      await answerOf(model.stream(titleRequest(text), signal), ({ input_tokens, output_tokens }) => {
        const tokens = `${input_tokens} tokens in, ${output_tokens} out`;
        report("DEBUG", "titles", `asked ${model.info.string} to name ${conversation.id}: ${tokens}`);
      }),
    );
    signal.throwIfAborted();
    if (title === "") throw new Error("the answer holds none");
    if (!await book.retitle(conversation, title)) throw new Error("it got another one meanwhile");
  }

  async #opening(id: string): Promise<string> {
    return firstCharacters((await this.#first(id))?.text ?? "", OPENING_LENGTH);
  }

  /** Reads from the newest entry back, as far as is needed to fill a condensed transcript. */
  async #whole(id: string): Promise<string> {
    const first = await this.#first(id);
    if (!first) return "";
    let later: Said[] = [];
    for (let before: number | undefined, isMore = true; isMore;) {
      const { items } = await this.#services.log.entries(id, { before, limit: PAGE, all: false });
      later = [...saidIn(items).filter(({ seq }) => seq > first.seq), ...later];
      before = items[0]?.seq;
      isMore = items.length === PAGE && lengthOf(later) < TRANSCRIPT_LENGTH;
    }
    return condense([first, ...later]);
  }

  /** What was said first on the path in view. */
  async #first(id: string): Promise<Said | undefined> {
    const { items } = await this.#services.log.entries(id, { after: 0, limit: PAGE, all: false });
    return saidIn(items)[0];
  }
}

/**
 * Whether a model can make titles. The demonstrations cannot: what they would say is no better than the first words, or is
 * scripted for something else. The tour does what it can when a person asks for it.
 */
function canName(info: ModelInfo, part: Part): boolean {
  return !isDemo(info) || (part === "whole" && info.id === "tour");
}

/** The text of an answer that came to its end. Leaving the loop early ends the call. */
async function answerOf(events: AsyncIterable<ModelEvent>, onUsage: (usage: CallUsage) => void): Promise<string> {
  let text = "";
  for await (const event of events) {
    switch (event.type) {
      case "text":
        text += event.text;
        if (text.length > LONGEST_ANSWER) throw new Error("the answer is too long for a title");
        break;
      case "usage":
        onUsage(event.usage);
        break;
      case "stop":
        if (event.reason !== "end") throw new Error(`the model stopped for "${event.reason}"`);
        break;
      default:
        break;
    }
  }
  return text;
}

function lengthOf(messages: readonly Said[]): number {
  return messages.reduce((sum, { text }) => sum + text.length, 0);
}
