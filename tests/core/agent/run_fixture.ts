/**
 * The loop over a real log, with tools made for the test.
 *
 * @module
 */
import {
  type Agent,
  type Budget,
  Ledger,
  Recorder,
  runAgent,
  type RunOutcome,
  type RunServices,
  ToolLock,
} from "../../../core/agent/mod.ts";
import {
  type ContextMessage,
  type CountedCall,
  type Entry,
  type EntryKind,
  foldContext,
} from "../../../core/log/mod.ts";
import type { ModelClient } from "../../../core/model/mod.ts";
import { Services, tool, type ToolContext, type ToolOfToolset, type ToolOutput } from "../../../core/tool/mod.ts";
import { z } from "zod";
import { type LogFixture, openLog } from "../log/log_fixture.ts";

/** A tool of one text argument, `x`. */
export function textTool(
  name: string,
  run: (x: string, context: ToolContext) => Promise<ToolOutput> | ToolOutput,
  rest: { concurrent?: boolean; timeoutSeconds?: number } = {},
): ToolOfToolset {
  const input = z.object({ x: z.string() });
  return {
    tool: tool({ name, description: name, input, run: ({ x }, context) => run(x, context), ...rest }),
    toolset: "test",
  };
}

export interface Ran {
  readonly outcome: RunOutcome;
  readonly calls: readonly CountedCall[];
  readonly entries: readonly Entry[];
  /** The entries of one kind. */
  of<K extends EntryKind>(kind: K): readonly Entry<K>[];
  /** What a model would be sent next. */
  readonly context: readonly ContextMessage[];
}

export interface RunFixture extends AsyncDisposable {
  readonly fixture: LogFixture;
  run(model: ModelClient, options?: RunSettings): Promise<Ran>;
}

export interface RunSettings extends Partial<Pick<Agent, "tools" | "maxIterations" | "concurrentTools">> {
  readonly signal?: AbortSignal;
  readonly budget?: Budget;
  /** The ledger of what the run is part of. */
  readonly outer?: Ledger;
  readonly window?: number;
  readonly costOf?: RunServices["costOf"];
  readonly say?: string;
  readonly inbox?: RunServices["inbox"];
  readonly gate?: RunServices["gate"];
}

/** Opens a log for runs; each run is a turn of its own in conversation `C`. */
export async function openRun(): Promise<RunFixture> {
  const fixture = await openLog();
  const conversation = await fixture.conversation("C");
  let turns = 0;
  const lock = new ToolLock();
  return {
    fixture,
    async run(
      model,
      { signal = new AbortController().signal, budget = {}, outer, costOf, say = "hi", inbox, window, gate, ...rest } =
        {},
    ) {
      const turn = `T${++turns}`;
      const data = { text: say, images: [], from: "person" };
      const said = await fixture.log.append(conversation, { turn, kind: "user", data });
      const recorder = new Recorder(fixture.log, { conversation, turn }, () => new Date());
      const agent: Agent = {
        name: "assistant",
        system: "You help",
        model,
        tools: [],
        generation: {},
        maxIterations: 5,
        concurrentTools: true,
        ...rest,
      };
      const ledger = new Ledger(budget, "this turn", outer);
      const outcome = await runAgent(agent, { history: [], said: [said] }, {
        recorder,
        blobs: fixture.storage.blobs,
        lock,
        now: () => new Date(),
        service: new Services().service,
        captureRequests: true,
        costOf: costOf ?? (() => undefined),
        ledger,
        ...window !== undefined && { window },
        ...inbox && { inbox },
        ...gate && { gate },
      }, signal);
      const entries = (await fixture.stored(conversation)).filter((entry) => entry.turn === turn);
      return {
        outcome,
        calls: ledger.calls,
        entries,
        of: (kind) => entries.filter((entry) => entry.kind === kind) as never,
        context: foldContext(entries),
      };
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

/** A model whose every event the test writes itself. */
export function handModel(
  stream: (n: number, signal: AbortSignal) => AsyncIterable<import("../../../core/model/mod.ts").ModelEvent>,
): ModelClient & { readonly asked: number } {
  let asked = 0;
  return {
    info: { string: "hand:made", provider: "hand", id: "made", images: true, tools: true, thinking: true },
    get asked() {
      return asked;
    },
    stream: (_request, signal) => stream(asked++, signal),
  };
}
