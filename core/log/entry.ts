/**
 * The words of the log: conversations, turns and entries, as they are stored and as they travel.
 *
 * Types alone: the browser bundles this file with the transcript fold, so it imports none but them. The zod schemas that check
 * these shapes at a boundary are in `entry_schema.ts`. Keys are `snake_case` because they are the stored and wire names.
 *
 * Invariants
 * 1. `seq` is dense per conversation and only grows; it is the cursor of every watcher (tests/core/log/log_test.ts).
 * 2. An `open` entry may change; a `done` one never does again (tests/core/log/log_test.ts).
 * 3. Every `tool` entry of an ended turn holds a result, so each later request has exactly one result per call
 *    (tests/core/turn/recovery_test.ts).
 *
 * @module
 */
import type { ApprovalData } from "./approval.ts";

export type * from "./approval.ts";

/** A reasoning request: `false` asks for none, `true` for the model's own effort; absent asks for nothing (K-327). */
export type Thinking = boolean | "low" | "medium" | "high";

/** How a conversation got its title; only a placeholder is replaced by a generated one (K-064, K-065). */
export type TitleKind = "placeholder" | "generated" | "given";

/** One conversation as the sidebar and API.md show it. Times are ISO 8601 with an offset; ids are ULIDs. */
export interface Conversation {
  readonly id: string;
  readonly title: string;
  /** Name of the entry agent's table. */
  readonly agent: string;
  /** Model string chosen for this conversation; `null` means the agent's. */
  readonly model: string | null;
  /** The turn in view: the transcript is the path from the root to it. */
  readonly head: string | null;
  readonly running: boolean;
  readonly pinned: boolean;
  readonly unread: boolean;
  readonly task: string | null;
  readonly graph: string | null;
  /** Where a copy came from. */
  readonly origin: {
    readonly kind: "branch" | "copy" | "import";
    readonly conversation?: string;
    readonly turn?: string;
  } | null;
  /** How many turns it has, over all branches. */
  readonly turns: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What began a turn; `rerun` is another answer to the same message. */
export type TurnOrigin = "person" | "task" | "trigger" | "channel" | "follow_up" | "rerun";

/** Where a turn stands; all but `running` are ends, and none of them is ever left again. */
export type TurnStatus = "running" | "done" | "stopped" | "failed" | "refused" | "interrupted";

/** What a turn used. Token counts are those of the calls that were reported: all zero where `reported_calls` is. */
export interface Usage {
  readonly calls: number;
  /** Calls whose provider reported tokens; fewer than `calls` means the counts are partial. */
  readonly reported_calls: number;
  /** All input tokens, cached ones included. */
  readonly input_tokens: number;
  /** All output tokens, reasoning included. */
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
  /** Seconds spent waiting for models. */
  readonly model_seconds: number;
  readonly wall_seconds: number;
  /** Estimated US dollars; absent when a model's price is not known. */
  readonly cost?: number;
  readonly models: readonly string[];
  readonly by_agent: Readonly<
    Record<string, { readonly calls: number; readonly input_tokens: number; readonly output_tokens: number }>
  >;
}

/** One exchange: what came in and all that was done about it. Turns form a tree by `parent`. */
export interface Turn {
  readonly id: string;
  readonly conversation: string;
  /** Position on its path, from 1: a root is 1, its child 2. Siblings share it. */
  readonly n: number;
  readonly parent: string | null;
  readonly origin: TurnOrigin;
  readonly status: TurnStatus;
  readonly agent: string;
  /** The model string that answered. */
  readonly model: string;
  readonly thinking: Thinking | null;
  readonly usage: Usage | null;
  /** One sentence for the person when `status` is `failed` or `refused`. */
  readonly failure: string | null;
  /** The sender's idempotency token. */
  readonly token: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
}

/** A turn on the path in view, with the ids of all versions of it (itself included), oldest first. */
export interface PathTurn extends Turn {
  readonly siblings: readonly string[];
}

/** A picture in a message: stored once under its hash, shown by `ref` (`/images/<sha256>`). */
export interface ImageRef {
  readonly ref: string;
  readonly name: string;
  readonly media_type: string;
  readonly bytes: number;
  /** In pixels, as its header says; absent where that could not be read. */
  readonly width?: number;
  readonly height?: number;
}

/** A text file in a message: stored once under its hash, shown by `ref` (`/payloads/<sha256>`). */
export interface FileRef {
  readonly ref: string;
  readonly name: string;
  readonly media_type: string;
  readonly bytes: number;
}

/** Opaque data a provider wants back with the next request; only the provider that made it can read it. */
export interface Signature {
  readonly provider: string;
  readonly data: string;
}

/** What came in: a message of a person, a task, a trigger or the loop itself. */
export interface UserData {
  readonly text: string;
  readonly images: readonly ImageRef[];
  readonly files?: readonly FileRef[];
  /** `person`, `task`, `trigger`, or an agent's address. */
  readonly from: string;
  readonly token?: string;
  /** Of messages that were accepted into a turn, not read by it, and became this one together: every token, `token` first. */
  readonly tokens?: readonly string[];
  /** Set on a message the loop wrote itself: shown as a machine line, sent to the model like any other (K-060). */
  readonly injected?: "continuation" | "wrap_up";
}

/** The model's thinking; grows while the entry is open. */
export interface ThinkingData {
  readonly text: string;
  readonly signature?: Signature;
  /** How long it took, in milliseconds; set when it closes. */
  readonly ms?: number;
}

/** The model's answer; grows while the entry is open. */
export interface TextData {
  readonly text: string;
  readonly signature?: Signature;
}

/** Where a call stands; the last four are ends, each with a `result`. */
export type ToolStatus = "waiting" | "running" | "done" | "failed" | "denied" | "interrupted";

/** One tool call with its result. */
export interface ToolData {
  /** The provider's id of the call, unique within its round. */
  readonly call: string;
  readonly name: string;
  readonly toolset: string;
  /** The parsed arguments, or the raw text when it could not be parsed. */
  readonly arguments: unknown;
  readonly status: ToolStatus;
  /** What the model was told; absent while it runs. Long ones are cut here and whole under `result_ref`. */
  readonly result?: string;
  /** `/payloads/<sha256>` of the whole result when it was too long to keep in the entry. */
  readonly result_ref?: string;
  /** Size of the whole result in bytes. */
  readonly result_bytes?: number;
  readonly images?: readonly ImageRef[];
  readonly ms?: number;
  readonly signature?: Signature;
  /** When it started running. */
  readonly started_at?: string;
}

/** A sub-agent's card; its own entries carry its id as `run`. */
export interface RunData {
  readonly agent: string;
  readonly task: string;
  readonly status: "running" | "done" | "stopped" | "failed" | "interrupted";
  readonly model: string;
  readonly thinking?: Thinking | null;
  /** What others write to it under: `researcher#1`. */
  readonly address?: string;
  /** Of a composed one: the tool that opened it, and its arguments (K-216). */
  readonly tool?: string;
  readonly arguments?: unknown;
  /** `seq` of the call that opened it. */
  readonly entry?: number;
  readonly usage?: Usage;
  /** Whether it used all its model calls before it was done. */
  readonly capped?: boolean;
  /** Why it failed or was cut short, a sentence for the person. */
  readonly failure?: string;
  readonly ended_at?: string;
}

/** A message delivered into a running turn. */
export interface InboxData {
  readonly text: string;
  readonly from: string;
  readonly to: string;
  /** Of a person's message: the token it was sent with. */
  readonly token?: string;
  /** Whether it was delivered together with messages of others. */
  readonly mixed?: boolean;
  /** Whether it was sent before the run that read it began; set on agents' messages alone. */
  readonly predates?: boolean;
}

/** A message that found nobody to take it. */
export interface UndeliveredData {
  readonly text: string;
  readonly from: string;
  readonly to: string;
  /** Of a person's message: the token it was sent with. */
  readonly token?: string;
}

/** A person's message that was accepted and is in no transcript yet. */
export interface PendingMessage {
  /** Of the message; it becomes the turn's when it starts one. */
  readonly id: string;
  readonly text: string;
  readonly images: readonly ImageRef[];
  readonly files: readonly FileRef[];
  readonly token: string | null;
  readonly thinking: Thinking | null;
  /** The running turn that is to read it at its next model call; `null`: it waits to be a turn of its own. */
  readonly joins: string | null;
  /** When it was accepted, ISO 8601. */
  readonly at: string;
}

/** One model call (K-308). */
export interface RoundData {
  readonly kind: "plain" | "continuation" | "wrap_up";
  readonly model: string;
  /** `/payloads/<sha256>` of the exact request body; absent when capture is off or it is too large. */
  readonly request_ref?: string;
  readonly request_bytes: number;
  readonly usage?: CallUsage;
  readonly ms: number;
  /** The provider's own reason, as it said it. */
  readonly stop_reason: string;
  readonly error?: string;
}

/** What one model call used, as its provider reported it. */
export interface CallUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number;
}

/** A sentence for the person about the turn: stopped, failed, interrupted, budget reached. */
export interface NoticeData {
  readonly text: string;
  readonly level: "info" | "warning" | "error";
}

/** A picture that stands by itself; `ref` is `/images/<sha256>`. */
export interface ImageData {
  readonly ref: string;
  readonly from: string;
}

/** What the model is sent changes from here; the log does not. */
export interface CompactionData {
  readonly summary: string;
  readonly upto: number;
  readonly tokens_before: number;
  readonly tokens_after: number;
}

/** A terrarium message that was sent or received. */
export interface ChannelData {
  readonly graph: string;
  readonly channel: string;
  readonly direction: "sent" | "received";
  readonly from: string;
  readonly text: string;
}

/** A plan of the planning workflow, with what its critic objected to. */
export interface PlanData {
  readonly text: string;
  readonly concerns?: readonly string[];
}

/** Where the planning workflow stands. */
export interface PhaseData {
  readonly label: string;
  readonly detail?: string;
}

/** A critic's judgement of a plan or a result. */
export interface ReviewData {
  readonly reviewer: string;
  readonly approved: boolean;
  readonly reason: string;
}

/** The data of each entry kind. */
export interface EntryData {
  readonly user: UserData;
  readonly thinking: ThinkingData;
  readonly text: TextData;
  readonly tool: ToolData;
  readonly approval: ApprovalData;
  readonly run: RunData;
  readonly inbox: InboxData;
  readonly undelivered: UndeliveredData;
  readonly round: RoundData;
  readonly plan: PlanData;
  readonly phase: PhaseData;
  readonly review: ReviewData;
  readonly image: ImageData;
  readonly notice: NoticeData;
  readonly compaction: CompactionData;
  readonly channel: ChannelData;
}

/** What kind of thing an entry records. */
export type EntryKind = keyof EntryData;

interface EntryOf<K extends EntryKind> {
  readonly conversation: string;
  readonly seq: number;
  readonly turn: string | null;
  /** The sub-agent run it belongs to; `null` for the entry agent. */
  readonly run: string | null;
  readonly parent_run: string | null;
  readonly kind: K;
  readonly state: "open" | "done";
  readonly at: string;
  readonly data: EntryData[K];
}

/** One line of the log, told apart by `kind`. */
export type Entry<K extends EntryKind = EntryKind> = { [P in K]: EntryOf<P> }[K];

/**
 * What the log and those above it announce; the live socket sends these as they are (API.md, "Live socket").
 * `delta.at` is the length of the text before this piece, in UTF-16 code units.
 */
export type LogOperation =
  | {
    readonly op: "entries";
    readonly conversation: string;
    readonly items: readonly Entry[];
    readonly last_seq: number;
  }
  | {
    readonly op: "delta";
    readonly conversation: string;
    readonly seq: number;
    readonly at: number;
    readonly text: string;
  }
  | {
    readonly op: "patch";
    readonly conversation: string;
    readonly seq: number;
    readonly state: "open" | "done";
    readonly data: EntryData[EntryKind];
  }
  | { readonly op: "turn"; readonly conversation: string; readonly turn: Turn }
  | { readonly op: "head"; readonly conversation: string; readonly head: string | null }
  | { readonly op: "pending"; readonly conversation: string; readonly items: readonly PendingMessage[] }
  | { readonly op: "conversation"; readonly conversation: Conversation }
  | { readonly op: "conversation_removed"; readonly conversation: string };
