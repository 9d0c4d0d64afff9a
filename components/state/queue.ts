/**
 * What is on its way and not in the transcript yet, each in exactly one place, and what can be done about it.
 *
 * Invariants (tests/components/state/queue_test.ts pins each)
 * 1. A message stands here once, whether this browser holds it, the server, or both.
 * 2. Nothing stands here that the transcript shows, or that `PendingTurns` draws below it (while no turn runs).
 * 3. What was read meanwhile cannot be changed any more: that is said, and no typed word is lost.
 *
 * @module
 */
import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { FileRef, ImageRef, PendingMessage } from "../../core/log/entry.ts";
import { type Api, ApiError } from "./api.ts";
import type { Outbox, Outgoing } from "./outbox.ts";

/**
 * Where a message is: to be read by the running turn, in line for a turn of its own, going out, held while nothing answers,
 * not sent yet, or refused.
 */
export type Whereabouts = "step" | "turn" | "going" | "held" | "unsent" | "refused";

/** A message that waits. */
export interface Waiting {
  /** Its token, or its id where it has none. */
  readonly key: string;
  readonly text: string;
  readonly images: readonly ImageRef[];
  readonly files: readonly FileRef[];
  readonly where: Whereabouts;
  /** As the server has it. */
  readonly accepted?: PendingMessage;
  /** As this browser has it. */
  readonly outgoing?: Outgoing;
}

/** What the merged list is made from. */
export interface QueueSources {
  /** Messages of the conversation in view that no transcript shows, as this browser has them. */
  readonly outgoing: readonly Outgoing[];
  /** The same, as the server has them. */
  readonly accepted: readonly PendingMessage[];
  /** Tokens of what the transcript shows. */
  readonly shown: ReadonlySet<string>;
  readonly running: boolean;
  readonly offline: boolean;
  /** The token of the message that is going out. */
  readonly going: string | null;
}

/** What is read first stands first: the running turn's, then the line, then what has yet to go out. */
export function mergeWaiting(sources: QueueSources): readonly Waiting[] {
  const { outgoing, accepted, shown, running } = sources;
  const own = new Set(outgoing.map(({ token }) => token));
  const held = accepted.filter(({ token }) => token === null || (!shown.has(token) && (running || !own.has(token))));
  const theirs = new Set(accepted.map(({ token }) => token));
  const unsent = running ? outgoing.filter(({ token }) => !theirs.has(token)) : [];
  return [
    ...held.filter(({ joins }) => joins !== null).map((message) => ofServer(message, running)),
    ...held.filter(({ joins }) => joins === null).map((message) => ofServer(message, running)),
    ...unsent.map((item) => ofBrowser(item, sources)),
  ];
}

function ofServer(message: PendingMessage, running: boolean): Waiting {
  const { id, token, text, images, files, joins } = message;
  return {
    key: token ?? id,
    text,
    images,
    files,
    where: running && joins !== null ? "step" : "turn",
    accepted: message,
  };
}

function ofBrowser(item: Outgoing, { offline, going }: QueueSources): Waiting {
  const { token, text, images = [], files = [] } = item;
  return { key: token, text, images, files, where: whereIs(item, offline, going), outgoing: item };
}

function whereIs({ state, token }: Outgoing, offline: boolean, going: string | null): Whereabouts {
  switch (state) {
    case "refused":
      return "refused";
    case "sent":
      return "going";
    case "waiting":
      return token === going ? "going" : offline ? "held" : "unsent";
  }
}

export interface QueueOptions {
  readonly api: Pick<Api, "editPending" | "takePending" | "sendPending">;
  readonly outbox: Outbox;
  readonly sources: ReadonlySignal<QueueSources>;
  /** The conversation in view. */
  readonly conversation: () => string | null;
  /** Does it; what goes wrong is said and gives `undefined`. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<T | undefined>;
  /** Sends what waits. */
  readonly flush: () => void;
  /** Puts a message back into the composer. */
  readonly giveBack: (message: Pick<Waiting, "text" | "images" | "files">) => void;
}

export class Queue {
  readonly items: ReadonlySignal<readonly Waiting[]>;
  /** What was to be changed and turned out to have been read; the person puts it away. */
  readonly read: Signal<Waiting | null> = signal(null);
  readonly #options: QueueOptions;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.items = computed(() => mergeWaiting(options.sources.value));
  }

  /** Gives a message that waits another text. Where it was read meanwhile, the new words go into the composer. */
  async edit(item: Waiting, text: string): Promise<void> {
    const words = text.trim();
    if (words === "" || words === item.text) return;
    const { outbox, api, giveBack, flush } = this.#options;
    if (item.accepted) {
      const { id } = item.accepted;
      await this.#unlessRead(item, (conversation) => api.editPending(conversation, id, words), () => {
        giveBack({ text: words, images: [], files: [] });
      });
    } else if (outbox.edit(item.key, words)) flush();
    else this.#wasRead(item, () => giveBack({ text: words, images: [], files: [] }));
  }

  /** Has it read at the next step, before all others; one that is not sent is tried again. */
  async sendNow(item: Waiting): Promise<void> {
    const { api, outbox, flush } = this.#options;
    if (item.accepted) {
      const { id } = item.accepted;
      await this.#unlessRead(item, (conversation) => api.sendPending(conversation, id));
    } else {
      outbox.retry(item.key);
      flush();
    }
  }

  /** Takes it back into the composer. */
  async takeBack(item: Waiting): Promise<void> {
    await this.drop(item, () => this.#options.giveBack(item));
  }

  /** Takes it out; `then` is done once it is out. */
  async drop(item: Waiting, then: () => void = () => {}): Promise<void> {
    const { api, outbox } = this.#options;
    if (item.accepted) {
      const { id, token } = item.accepted;
      const taken = await this.#unlessRead(item, async (conversation) => {
        await api.takePending(conversation, id);
        return true;
      });
      if (!taken) return;
      if (token !== null) outbox.take(token);
      then();
    } else if (outbox.going.peek() === item.key || outbox.take(item.key)?.state === "sent") this.#wasRead(item);
    else then();
  }

  /** Does it with the message where it waits on the server; where it waits no more, says so and does `otherwise`. */
  async #unlessRead<T>(
    item: Waiting,
    work: (conversation: string) => Promise<T>,
    otherwise: () => void = () => {},
  ): Promise<T | undefined> {
    const conversation = this.#options.conversation();
    if (conversation === null) return;
    return await this.#options.attempt(async () => {
      try {
        return await work(conversation);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
        this.#wasRead(item, otherwise);
      }
    });
  }

  #wasRead(item: Waiting, otherwise: () => void = () => {}): void {
    batch(() => {
      this.read.value = item;
      otherwise();
    });
  }
}
