/**
 * How the next message is to be answered: by which model, with how much thinking, with a plan first or not.
 *
 * Invariants (tests/components/state/answering_test.ts pins each)
 * 1. The effort is kept per conversation, and rides on messages until it is changed; where the model cannot think it stays
 *    behind.
 * 2. A model chosen before a conversation is begun goes with the message that begins it, and is then let go.
 * 3. A choice the server refuses is taken back.
 *
 * @module
 */
import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Conversation, Thinking } from "../../core/log/entry.ts";
import type { AgentAbilities, Api, ModelChoice } from "./api.ts";
import type { Message } from "./outbox.ts";
import type { Store } from "./store.ts";

/** What a person can ask for: nothing in particular, none, or so much. */
export type Effort = "default" | "off" | "low" | "medium" | "high";

export const EFFORTS: readonly Effort[] = ["default", "off", "low", "medium", "high"];

/** The toolset an agent must have for "Plan first". */
const PLANNING = "planning";

export interface AnsweringOptions {
  readonly api: Pick<Api, "models" | "agents" | "change">;
  readonly store: Store;
  /** The one in view; `null`: not begun. */
  readonly conversation: ReadonlySignal<Conversation | null>;
  /** The model that answers where a conversation names none. */
  readonly model: string;
  /** Takes in what a conversation's row now says. */
  readonly takeRow: (row: Conversation) => void;
  /** Does it; what goes wrong is said and gives `undefined`. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<T | undefined>;
}

export class Answering {
  /** What can be chosen; empty until it is known. */
  readonly models: Signal<readonly ModelChoice[]> = signal([]);
  readonly effort: Signal<Effort> = signal("default");
  readonly plan: Signal<boolean> = signal(false);
  /** What was chosen, as its string; `null`: the agent's own. */
  readonly chosen: ReadonlySignal<string | null>;
  /** The one that answers, as its string. */
  readonly model: ReadonlySignal<string>;
  /** What is known of the one that answers. */
  readonly facts: ReadonlySignal<ModelChoice | null>;
  readonly canThink: ReadonlySignal<boolean>;
  readonly canPlan: ReadonlySignal<boolean>;
  readonly #options: AnsweringOptions;
  readonly #agents: Signal<readonly AgentAbilities[]> = signal([]);
  readonly #forNew: Signal<string | null> = signal(null);
  #asking: Promise<void> | null = null;

  constructor(options: AnsweringOptions) {
    this.#options = options;
    const { conversation } = options;
    this.chosen = computed(() => conversation.value ? conversation.value.model : this.#forNew.value);
    this.model = computed(() => this.chosen.value ?? options.model);
    this.facts = computed(() => this.models.value.find(({ string }) => string === this.model.value) ?? null);
    this.canThink = computed(() => this.facts.value?.thinking ?? false);
    this.canPlan = computed(() => {
      const agents = this.#agents.value;
      const named = conversation.value?.agent;
      const agent = agents.find(({ name, entry }) => named ? name === named : entry);
      return agent?.toolsets.some(({ name }) => name === PLANNING) ?? false;
    });
  }

  /** Asks once what can be chosen; after a failure it can be asked again. Rejects with what the API throws. */
  load(): Promise<void> {
    this.#asking ??= this.#load().catch((error) => {
      this.#asking = null;
      throw error;
    });
    return this.#asking;
  }

  /** Takes up what was chosen for a conversation before. */
  open(conversation: string | null): void {
    const { store } = this.#options;
    const kept = store.get(effortKey(conversation));
    batch(() => {
      this.effort.value = EFFORTS.find((effort) => effort === kept) ?? "default";
      this.plan.value = false;
      if (conversation === null) this.#forNew.value = store.get(MODEL_FOR_NEW);
    });
  }

  /** The conversation that was not begun is begun: what was chosen for it goes along. */
  begun(conversation: string): void {
    const { store } = this.#options;
    store.set(effortKey(conversation), store.get(effortKey(null)));
    store.set(effortKey(null), null);
    store.set(MODEL_FOR_NEW, null);
    this.#forNew.value = null;
  }

  setEffort(effort: Effort): void {
    this.effort.value = effort;
    const id = this.#options.conversation.peek()?.id ?? null;
    this.#options.store.set(effortKey(id), effort === "default" ? null : effort);
  }

  /** Has another model answer from now on; `null`: the agent's own. */
  async choose(model: string | null): Promise<void> {
    const { conversation, store, api, takeRow, attempt } = this.#options;
    const row = conversation.peek();
    if (!row) {
      this.#forNew.value = model;
      store.set(MODEL_FOR_NEW, model);
    } else if (row.model !== model) {
      takeRow({ ...row, model });
      takeRow(await attempt(() => api.change(row.id, { model })) ?? row);
    }
  }

  /** What rides on the next message. "Plan first" is for one message. */
  take(): Pick<Message, "thinking" | "plan" | "model"> {
    const thinking = this.canThink.peek() ? thinkingOf(this.effort.peek()) : undefined;
    const model = this.#options.conversation.peek() ? null : this.#forNew.peek();
    const plan = this.canPlan.peek() && this.plan.peek();
    this.plan.value = false;
    return { ...thinking !== undefined && { thinking }, ...model && { model }, ...plan && { plan } };
  }

  async #load(): Promise<void> {
    const { api } = this.#options;
    const [models, agents] = await Promise.all([api.models(), api.agents()]);
    batch(() => {
      this.models.value = models;
      this.#agents.value = agents;
    });
  }
}

/** The key of the model chosen for the conversation that is not begun. */
const MODEL_FOR_NEW = "model:new";

/** The key of the effort asked for in a conversation, or in the one that is not begun. */
function effortKey(conversation: string | null): string {
  return `effort:${conversation ?? "new"}`;
}

/** As the wire says it; `undefined` asks for nothing. */
export function thinkingOf(effort: Effort): Thinking | undefined {
  if (effort === "default") return undefined;
  return effort === "off" ? false : effort;
}

/** As the pickers say it. */
export function effortOf(thinking: Thinking | null | undefined): Effort {
  if (thinking === null || thinking === undefined || thinking === true) return "default";
  return thinking === false ? "off" : thinking;
}

/** A group of models in the picker. */
export interface ModelGroup {
  readonly label: string;
  readonly models: readonly ModelChoice[];
}

const PLACES = [
  ["On this machine", (model) => model.source === "local"],
  ["Configured", (model) => model.source === "configured"],
  ["Demonstration", (model) => model.source === "demo"],
  ["With a key", (model) => model.source === "catalogue"],
] as const satisfies readonly (readonly [string, (model: ModelChoice) => boolean])[];

/** Those that fit every word of `filter`, those that can be used at once first, by where they run. */
export function groupModels(models: readonly ModelChoice[], filter: string): readonly ModelGroup[] {
  const words = filter.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const fits = models.filter(({ string }) => words.every((word) => string.toLowerCase().includes(word)));
  const ready = (model: ModelChoice) => model.needs_key === null ? 0 : 1;
  return PLACES.flatMap(([label, isHere]) => {
    const here = fits.filter(isHere).toSorted((a, b) => ready(a) - ready(b));
    return here.length > 0 ? [{ label, models: here }] : [];
  });
}
