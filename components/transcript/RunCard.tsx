/**
 * A sub-agent's card: a line that says who works on what and how it stands, and behind it its own transcript (K-216, K-284).
 *
 * Invariants (tests/islands/agents_browser_test.ts pins each)
 * 1. It stands open while the sub-agent works, and folds when it is done, unless someone is in it or has turned it by hand.
 * 2. How it ended is said unless it is "done": failed, stopped, interrupted, cut short.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { RunData, Thinking } from "../../core/log/entry.ts";
import type { RunBlock } from "../../core/log/folds/transcript.ts";
import { duration, firstSentence, modelName, some, spokenFrom } from "../words.ts";
import { Arguments } from "./Arguments.tsx";
import { readings } from "./Colophon.tsx";
import { Elapsed } from "./Elapsed.tsx";
import { Line, Running } from "./Line.tsx";
import { Notice } from "./Notice.tsx";
import { hasReader } from "./reading.ts";
import { RoundsButton } from "./RoundsButton.tsx";

export interface RunCardProps {
  readonly block: RunBlock;
  /** Whether what it belongs to is over. */
  readonly ended: boolean;
  /** Its own transcript. */
  readonly children: ComponentChildren;
}

export function RunCard({ block, ended, children }: RunCardProps): VNode {
  const { entry } = block;
  const { data } = entry;
  const running = data.status === "running" && !ended;
  const fold = useFolding(running);
  const answer = running ? "" : answerOf(block);
  return (
    <Line
      kind="agent"
      name={data.address ?? data.agent}
      what={firstSentence(answer || data.task)}
      state={<Outcome data={data} running={running} />}
      note={running || block.rounds.length === 0 ? undefined : some(block.rounds.length, "call")}
      time={running ? <Elapsed since={entry.at} /> : tookOf(entry.at, data)}
      {...fold}
    >
      <div class="nested">
        <p class="task-line" dir="auto">{data.task}</p>
        {data.tool !== undefined && <Arguments value={data.arguments} />}
        {children}
        {!running && <Ending data={data} />}
        <div class="run-facts">
          <ul role="list">
            {factsOf(data).map((fact) => <li key={fact}>{fact}</li>)}
          </ul>
          {entry.turn !== null && <RoundsButton turn={entry.turn} run={block.run} rounds={block.rounds} />}
        </div>
      </div>
    </Line>
  );
}

/** Why it did not end well. */
function Ending({ data }: { data: RunData }): VNode | null {
  const text = data.failure ??
    (data.capped ? "It reached its limit of model calls and was asked for what it had" : null);
  return text === null
    ? null
    : <Notice kind="notice" bad={data.status === "failed" ? "Failed." : undefined} text={text} />;
}

function isCutShort(data: RunData): boolean {
  return data.capped === true || data.failure !== undefined;
}

function Outcome({ data, running }: { data: RunData; running: boolean }): VNode | null {
  if (running) return <Running />;
  switch (data.status) {
    case "done":
      return isCutShort(data) ? <span class="ended">cut short</span> : null;
    case "failed":
      return <span class="bad">failed</span>;
    case "running":
      return <span class="ended">interrupted</span>;
    case "stopped":
    case "interrupted":
      return <span class="ended">{data.status}</span>;
    default:
      data.status satisfies never;
      return null;
  }
}

/** What a card says at its foot, in order; exported for the tests. */
export function factsOf(data: RunData): readonly string[] {
  const [model = data.model, ...used] = data.usage
    ? readings({ model: data.model, usage: data.usage })
    : [modelName(data.model)];
  const effort = effortWords(data.thinking);
  return [
    ...data.address === undefined || data.address === data.agent ? [] : [data.agent],
    model,
    ...effort === null ? [] : [effort],
    ...used,
  ];
}

function effortWords(thinking: Thinking | null | undefined): string | null {
  if (thinking === undefined || thinking === null || thinking === true) return null;
  return thinking === false ? "effort off" : `effort ${thinking}`;
}

/** How much of an answer is looked at for its first words. */
const LOOKED_AT = 1000;

/** The last text it wrote that says something, without its marks. */
function answerOf({ blocks }: RunBlock): string {
  const last = blocks.findLast((block) => block.kind === "text" && block.data.text.trim() !== "");
  return last?.kind === "text" ? spokenFrom(last.data.text.slice(0, LOOKED_AT), 0, true).said : "";
}

function tookOf(at: string, { ended_at }: RunData): string | undefined {
  return ended_at === undefined ? undefined : duration(Date.parse(ended_at) - Date.parse(at));
}

/** Folds a line when its work is over, unless a reader is in it or has turned it. */
function useFolding(running: boolean) {
  const [open] = useState(running);
  const fold = useRef<HTMLDetailsElement>(null);
  const turned = useRef(false);
  const before = useRef(running);
  useEffect(() => {
    const details = fold.current;
    if (before.current && !running && details && !turned.current && !hasReader(details)) details.open = false;
    before.current = running;
  }, [running]);
  return { open, fold, onTurn: () => turned.current = true };
}
