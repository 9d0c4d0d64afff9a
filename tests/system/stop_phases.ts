/**
 * The phases of a turn in which a person may stop it, each with the provider's answer that leads there.
 *
 * @module
 */
import type { FakeProvider, Protocol, Reply } from "../providers/mod.ts";
import type { Product } from "./product.ts";

export interface StopPhase {
  readonly name: string;
  /** The answers up to the phase; the last one does not end by itself. */
  readonly replies: readonly Reply[];
  /** Whether the phase is reached. `requests` is how many the provider has received. */
  readonly isReached: (seen: Seen) => boolean;
  /** Text of the answer that must be kept. */
  readonly kept?: string;
  /** No request is open in this phase: a tool runs, or the next attempt is waited for. */
  readonly isBetweenRequests?: boolean;
}

/** What can be seen of a turn from outside. */
export interface Seen {
  readonly requests: number;
  readonly entries: readonly { readonly kind: string; readonly data: unknown }[];
}

const has = (kind: string) => ({ entries }: Seen) => entries.some((entry) => entry.kind === kind);
const runs = ({ entries }: Seen) =>
  entries.some(({ kind, data }) => kind === "tool" && (data as { status: string }).status === "running");

/** `slow` waits longer than any test. */
const SLOW_CALL = { name: "slow", arguments: { ms: 600_000 } };

/** Frames until a call's arguments have begun, where they come in pieces. */
const ARGUMENTS_BEGUN: Partial<Record<Protocol, number>> = { "openai-chat": 7, "openai-responses": 8, anthropic: 9 };

const EVERYWHERE: readonly StopPhase[] = [
  { name: "before the first byte", replies: [{ silence: "stall" }], isReached: ({ requests }) => requests === 1 },
  {
    name: "between the headers and the first token",
    replies: [{ fault: "stall", faultAfter: 0 }],
    isReached: ({ requests }) => requests === 1,
  },
  { name: "in thinking", replies: [{ thinking: "It begins to", fault: "stall" }], isReached: has("thinking") },
  {
    name: "in text",
    replies: [{ text: "It begins to", fault: "stall" }],
    isReached: has("text"),
    kept: "It begins to",
  },
  {
    name: "while a tool runs",
    replies: [{ text: "I will wait", toolCalls: [SLOW_CALL, SLOW_CALL] }],
    isReached: runs,
    kept: "I will wait",
    isBetweenRequests: true,
  },
  {
    name: "while the next attempt is waited for",
    replies: [{ status: { code: 429, headers: { "retry-after": "30" } } }],
    isReached: ({ requests }) => requests === 1,
    isBetweenRequests: true,
  },
  {
    name: "in the second round",
    replies: [
      { text: "First a pause.", toolCalls: [{ name: "slow", arguments: { ms: 1 } }] },
      { text: "Then it begins to", fault: "stall" },
    ],
    isReached: ({ requests, entries }) => requests === 2 && entries.filter(({ kind }) => kind === "text").length === 2,
    kept: "Then it begins to",
  },
];

/** Every phase that a protocol has. */
export function stopPhases(protocol: Protocol): readonly StopPhase[] {
  const faultAfter = ARGUMENTS_BEGUN[protocol];
  if (faultAfter === undefined) return EVERYWHERE;
  const call: StopPhase = {
    name: "in a call's arguments",
    replies: [{ text: "I will wait", toolCalls: [SLOW_CALL], fault: "stall", faultAfter }],
    isReached: (seen) => has("tool")(seen) && !runs(seen),
    kept: "I will wait",
  };
  return [...EVERYWHERE, call];
}

/** Waits until a turn is in a phase, looking again with everything that is announced. */
export async function reach(
  phase: StopPhase,
  product: Product,
  provider: FakeProvider,
  conversation: string,
): Promise<void> {
  const reached = Promise.withResolvers<void>();
  let looks: Promise<void> = Promise.resolve();
  const look = () => {
    looks = looks.then(async () => {
      const entries = await product.stored(conversation);
      if (phase.isReached({ requests: provider.requests.length, entries })) reached.resolve();
    });
    looks.catch(reached.reject);
  };
  const leave = product.assistant.feed.subscribe(look);
  look();
  const last = phase.replies.length - 1;
  provider.received(last).then(look);
  // Where the connection is the provider's to close, the phase begins once it has.
  if (phase.isBetweenRequests) provider.received(last).then(({ closed }) => closed).then(look);
  const deadline = setTimeout(() => reached.reject(new Error(`Never ${phase.name}`)), 10_000);
  try {
    await reached.promise;
    if (phase.isBetweenRequests) await (await provider.received(last)).closed;
  } finally {
    clearTimeout(deadline);
    leave();
  }
}
