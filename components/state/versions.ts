/**
 * Versions of a turn: answering again, writing again, going from one version to the next, branching, deleting.
 *
 * Nothing of the tree is changed here by guess: the server does it and announces the head. Only going to a version that is
 * held whole shows at once, and is taken back by the path that the server has.
 *
 * @module
 */
import { type Signal, signal } from "@preact/signals";
import type { PathTurn, Thinking } from "../../core/log/entry.ts";
import type { TurnView } from "../../core/log/folds/transcript.ts";
import type { Api, ModelChoice } from "./api.ts";
import type { LiveView } from "./live_view.ts";
import type { Store } from "./store.ts";

/** What a dialog asks about: which model is to answer again, or whether a turn and what follows is to go. */
export interface Asking {
  readonly kind: "model" | "delete";
  readonly turn: PathTurn;
}

export interface VersionsOptions {
  readonly api: Api;
  readonly live: LiveView;
  readonly store: Store;
  /** Does it; what goes wrong is said in an alert and gives `undefined`. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<T | undefined>;
  /** Goes to another page, by its path below the base path. */
  readonly go: (path: string) => void;
}

export class Versions {
  /** The turn whose message is being written again. */
  readonly editing: Signal<string | null> = signal(null);
  /** The turn whose new message is on its way. */
  readonly sending: Signal<string | null> = signal(null);
  readonly asking: Signal<Asking | null> = signal(null);
  readonly models: Signal<readonly ModelChoice[] | null> = signal(null);
  readonly #options: VersionsOptions;

  constructor(options: VersionsOptions) {
    this.#options = options;
  }

  /** Another answer to the same message, by another model or with another effort if so asked. */
  async again(turn: string, how: { model?: string; thinking?: Thinking } = {}): Promise<void> {
    await this.#do((id) => this.#options.api.regenerate(id, turn, how));
  }

  /** Opens the field in place of a message. */
  edit(turn: string): void {
    this.editing.value = turn;
  }

  /** Opens the field in place of the last message that a person wrote on this path; `false` when there is none. */
  editLast(): boolean {
    const view = this.#options.live.transcript.value.turns.findLast(isEditable);
    if (view) this.edit(view.turn.id);
    return view !== undefined;
  }

  /** What stands in the field of a message that is being written again, kept over repaints and reloads. */
  draft(turn: string): string | null {
    return this.#options.store.get(editKey(turn));
  }

  keepDraft(turn: string, text: string): void {
    this.#options.store.set(editKey(turn), text);
  }

  /** Closes the field and forgets what was written in it. */
  cancelEdit(turn: string): void {
    this.#options.store.set(editKey(turn), null);
    if (this.editing.value === turn) this.editing.value = null;
  }

  /** Sends the message anew; the field stays as it is when that fails. */
  async sendEdit(turn: string, text: string): Promise<void> {
    if (text.trim() === "" || this.sending.value !== null) return;
    this.sending.value = turn;
    const sent = await this.#do((id) => this.#options.api.edit(id, turn, text.trim()));
    this.sending.value = null;
    if (sent) this.cancelEdit(turn);
  }

  /** Goes to the version before (-1) or after (1); at the end of them nothing happens. */
  async step(turn: PathTurn, by: -1 | 1): Promise<void> {
    const next = turn.siblings[turn.siblings.indexOf(turn.id) + by];
    if (next !== undefined) await this.show(next);
  }

  /** Puts a turn in view, with the newest of what follows it. */
  async show(turn: string): Promise<void> {
    const { live, api } = this.#options;
    live.showHeld(turn);
    const detail = await this.#do((id) => api.setHead(id, turn));
    await this.#options.attempt(() => detail ? live.takeDetail(detail) : live.refresh());
  }

  /** Goes to a new conversation that ends with this turn. */
  async branch(turn: string): Promise<void> {
    const made = await this.#do((id) => this.#options.api.branch(id, turn));
    if (made) this.#options.go(`/c/${made.id}`);
  }

  /** Goes to a copy of the whole conversation. */
  async duplicate(): Promise<void> {
    const made = await this.#do((id) => this.#options.api.duplicate(id));
    if (made) this.#options.go(`/c/${made.id}`);
  }

  /** Deletes a turn and what follows it, for good; `false` when that could not be done. */
  async truncate(turn: string): Promise<boolean> {
    const { live, api } = this.#options;
    const detail = await this.#do((id) => api.truncate(id, turn));
    if (!detail) return false;
    live.forgetTurn(turn);
    await this.#options.attempt(() => live.takeDetail(detail));
    return true;
  }

  /** Asks the server which models there are, unless that is known. */
  async loadModels(): Promise<void> {
    this.models.value ??= await this.#options.attempt(() => this.#options.api.models()) ?? null;
  }

  async #do<T>(work: (conversation: string) => Promise<T>): Promise<T | undefined> {
    const id = this.#options.live.conversation.value?.id;
    return id === undefined ? undefined : await this.#options.attempt(() => work(id));
  }
}

/** Whether a person may write the message of this turn again: not where the loop, or another part of the machine, did. */
export function isEditable(view: TurnView): boolean {
  const opening = view.blocks[0];
  return opening?.kind === "user" && !opening.data.injected && opening.data.from === "person";
}

function editKey(turn: string): string {
  return `edit:${turn}`;
}
