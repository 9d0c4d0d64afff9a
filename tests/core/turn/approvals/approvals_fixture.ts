/**
 * The desk and the gates of turns over a real log, with a clock in the test's hands.
 *
 * @module
 */
import { Recorder } from "../../../../core/agent/mod.ts";
import { ConversationBook } from "../../../../core/conversation/mod.ts";
import { type Approval, type Entry, idSource, type TurnOrigin } from "../../../../core/log/mod.ts";
import { ApprovalPolicies, type GatedCall } from "../../../../core/tool/mod.ts";
import { ApprovalDesk, type GateServices, type ReviewPanel, RuleStore, TurnGate } from "../../../../core/turn/mod.ts";
import { type LogFixture, openLog } from "../../log/log_fixture.ts";
import { type Pair, policyConfig } from "../../tool/approval/policy_config.ts";

export interface ApprovalsFixture extends AsyncDisposable {
  readonly log: LogFixture;
  readonly desk: ApprovalDesk;
  readonly rules: RuleStore;
  readonly policies: ApprovalPolicies;
  /** The lists that were announced. */
  readonly lists: (readonly Approval[])[];
  /** Where somebody looks. */
  readonly watched: Set<string>;
  /** How many questions have a time limit that runs. */
  readonly timers: number;
  /** Lets every time limit run out. */
  timeUp(): void;
  /** A turn of a conversation, with its gate and a pen for its entries. */
  turn(options?: { origin?: TurnOrigin; request?: string; conversation?: string; run?: string }): Promise<TurnFixture>;
  /** The list, once it is this long. */
  waiting(count: number): Promise<readonly Approval[]>;
}

export interface TurnFixture {
  readonly gate: TurnGate;
  readonly recorder: Recorder;
  /** Asks about a call; its tool takes `{x: string}`. */
  decide(call?: Partial<GatedCall>, signal?: AbortSignal): ReturnType<ReturnType<TurnGate["forRun"]>["decide"]>;
  /** The stored approvals. */
  approvals(): Promise<readonly Entry<"approval">[]>;
}

export interface FixtureOptions extends Pair {
  readonly floor?: readonly string[];
  readonly panel?: ReviewPanel;
  readonly unresolved?: boolean;
  readonly services?: Partial<GateServices>;
}

/** Opens all of it; `mail.send` is gated unless `confirm` says otherwise. */
export async function openDesk(options: FixtureOptions = {}): Promise<ApprovalsFixture> {
  const log = await openLog();
  const now = () => new Date();
  const newId = idSource(now);
  const book = new ConversationBook({
    database: log.storage.database,
    feed: log.feed,
    log: log.log,
    now,
    newId,
    entryAgent: "assistant",
    isAgent: () => true,
    modelProblem: () => null,
    isRunning: () => true,
    stopTurn: () => Promise.resolve(),
  });
  const rules = new RuleStore(log.storage.database, newId, now);
  const timers = new Set<() => void>();
  const desk = new ApprovalDesk({
    book,
    log: log.log,
    feed: log.feed,
    rules,
    now,
    timeoutMs: 60_000,
    after: (_, run) => {
      timers.add(run);
      return () => timers.delete(run);
    },
  });
  const { confirm = ["mail"], review = [], floor = [] } = options;
  const policies = new ApprovalPolicies(policyConfig({ confirm, review }, { assistant: {} }, floor), []);
  if (!options.unresolved) policies.resolve(new Map());
  const lists: (readonly Approval[])[] = [];
  let wake = () => {};
  desk.subscribe((list) => {
    lists.push(list);
    wake();
  });
  const watched = new Set<string>(["C"]);
  desk.attend((conversation) => watched.has(conversation));
  const services: GateServices = {
    policies,
    desk,
    rules,
    panel: options.panel,
    providerOf: () => "built-in",
    permissionsOf: () => undefined,
    ...options.services,
  };
  const opened = new Set<string>();
  let turns = 0;
  return {
    log,
    desk,
    rules,
    policies,
    lists,
    watched,
    get timers() {
      return timers.size;
    },
    timeUp() {
      for (const run of [...timers]) run();
    },
    async turn({ origin = "person", request = "Send it", conversation = "C", run } = {}) {
      if (!opened.has(conversation)) await log.conversation(conversation);
      opened.add(conversation);
      const id = `T${++turns}`;
      const gate = new TurnGate(services, { origin }, request);
      const recorder = new Recorder(log.log, { conversation, turn: id, run }, now);
      const asked = gate.forRun(recorder);
      return {
        gate,
        recorder,
        decide: (call, signal = new AbortController().signal) =>
          asked.decide({
            conversation,
            turn: id,
            run: run ?? null,
            agent: "assistant",
            toolset: "mail",
            tool: "send",
            arguments: { x: "hello" },
            entry: 1,
            about: "Sends a mail",
            check: (input) => typeof (input as { x?: unknown }).x === "string" ? null : "x must be text",
            waits: () => Promise.resolve(),
            ...call,
          }, signal),
        async approvals() {
          const stored = await log.stored(conversation);
          return stored.filter((entry): entry is Entry<"approval"> => entry.kind === "approval" && entry.turn === id);
        },
      };
    },
    async waiting(count) {
      while (desk.waiting().length !== count) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
      return desk.waiting();
    },
    async [Symbol.asyncDispose]() {
      desk.close();
      await log[Symbol.asyncDispose]();
    },
  };
}
