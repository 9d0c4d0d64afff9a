/**
 * The blocks of a turn, each drawn as what it is. Sub-agents' cards hold the same blocks again.
 *
 * @module
 */
import { Component, type VNode } from "preact";
import { useContext } from "preact/hooks";
import type { Entry } from "../../core/log/entry.ts";
import type { Block } from "../../core/log/folds/transcript.ts";
import { Question } from "../approval/Question.tsx";
import { Markdown } from "../markdown/mod.ts";
import { count, duration, firstSentence, latestSentence, timeOfDay } from "../words.ts";
import { Actions } from "./actions.ts";
import { Elapsed } from "./Elapsed.tsx";
import { Joined, NotDelivered } from "./Joined.tsx";
import { Line, Running } from "./Line.tsx";
import { arrangeBlocks, askedCalls, groupTools, type ToolGroup } from "./lines.ts";
import { LogNotice, Notice } from "./Notice.tsx";
import { RunCard } from "./RunCard.tsx";
import { ToolGroupLine, ToolLine } from "./ToolLine.tsx";

export interface BlocksProps {
  readonly blocks: readonly Block[];
  /** Whether the turn, or the run, is over. */
  readonly ended: boolean;
}

export function Blocks({ blocks, ended }: BlocksProps): VNode {
  const { at } = useContext(Actions);
  const asked = ended ? NONE : askedCalls(blocks);
  return (
    <>
      {groupTools(arrangeBlocks(blocks), ended).map((block) => {
        const drawn = (
          <BlockView key={`${block.kind}-${block.seq}`} block={block} ended={ended} asked={asked.has(block.seq)} />
        );
        return at !== undefined && holds(block, at) ? <Marked key={`at-${block.seq}`}>{drawn}</Marked> : drawn;
      })}
    </>
  );
}

const NONE: ReadonlySet<number> = new Set();

/** Whether the entry with this `seq` is drawn here, or inside what folds here. */
function holds(block: Block | ToolGroup, seq: number): boolean {
  if (block.seq === seq) return true;
  if (block.kind === "tools") return block.calls.some((call) => call.seq === seq);
  return block.kind === "run" && [...block.blocks, ...block.rounds].some((inner) => holdsInner(inner, seq));
}

function holdsInner(inner: Block | Entry<"round">, seq: number): boolean {
  return inner.kind === "round" ? inner.seq === seq : holds(inner, seq);
}

/** The entry the page was opened at. It takes the focus as the page loads, so that it comes into view without scripts too. */
function Marked({ children }: { children: VNode }): VNode {
  return <div class="block marked" data-at="" tabIndex={-1} autofocus>{children}</div>;
}

interface BlockViewProps {
  readonly block: Block | ToolGroup;
  readonly ended: boolean;
  /** Of a call: whether it waits for an answer. */
  readonly asked: boolean;
}

/** Drawn again only when its entry changed: the fold keeps the identity of all others. */
class BlockView extends Component<BlockViewProps> {
  override shouldComponentUpdate(next: BlockViewProps): boolean {
    const { block, ended, asked } = this.props;
    return next.ended !== ended || next.asked !== asked || !sameBlock(next.block, block);
  }

  render({ block, ended, asked }: BlockViewProps): VNode | null {
    return view(block, ended, asked);
  }
}

function sameBlock(a: Block | ToolGroup, b: Block | ToolGroup): boolean {
  if (a.kind === "tools" && b.kind === "tools") {
    return a.calls.length === b.calls.length && a.calls.every((call, index) => call === b.calls[index]);
  }
  return a === b;
}

function view(block: Block | ToolGroup, ended: boolean, asked: boolean): VNode | null {
  switch (block.kind) {
    case "tools":
      return <ToolGroupLine calls={block.calls} />;
    case "tool":
      return <ToolLine entry={block} asked={asked} />;
    case "thinking":
      return <Thought entry={block} ended={ended} />;
    case "text":
      return <Answer entry={block} ended={ended} />;
    case "run":
      return (
        <RunCard block={block} ended={ended}>
          <Blocks blocks={block.blocks} ended={ended || block.entry.data.status !== "running"} />
        </RunCard>
      );
    case "user":
      return <LaterMessage entry={block} />;
    case "inbox":
      return <Joined entry={block} />;
    case "undelivered":
      return <NotDelivered entry={block} />;
    case "notice":
      return <LogNotice data={block.data} />;
    case "approval":
      return <Asked entry={block} ended={ended} />;
    case "review":
      return (
        <Notice
          kind="review"
          text={`${block.data.approved ? "Approved" : "Not approved"} by ${block.data.reviewer}: ${block.data.reason}`}
        />
      );
    case "plan":
      return <Plan entry={block} />;
    case "phase":
      return (
        <div class="block">
          <p class="phase">{block.data.detail ? `${block.data.label}, ${block.data.detail}` : block.data.label}</p>
        </div>
      );
    case "image":
      return <Picture entry={block} />;
    case "compaction":
      return <Compaction entry={block} />;
    case "channel":
      return (
        <div class="block joined agent">
          <span class="kind">{block.data.direction === "sent" ? `to ${block.data.channel}` : block.data.from}</span>
          <p dir="auto">{block.data.text}</p>
        </div>
      );
    default:
      block satisfies never;
      return null;
  }
}

/** The answer. While it grows, a caret stands at its end (malama.css, `.tip`). Blank text draws nothing (K-281). */
function Answer({ entry, ended }: { entry: Entry<"text">; ended: boolean }): VNode | null {
  const final = entry.state === "done" || ended;
  if (entry.data.text.trim() === "") return null;
  return (
    <div class={final ? "block prose" : "block prose live"} dir="auto">
      <Markdown text={entry.data.text} final={final} />
    </div>
  );
}

/** Reasoning: folded to its first sentence; while it streams, to the sentence that is being written. */
function Thought({ entry, ended }: { entry: Entry<"thinking">; ended: boolean }): VNode | null {
  const { text, ms } = entry.data;
  const open = entry.state === "open" && !ended;
  if (text.trim() === "") {
    return open ? <Line kind="thought" state={<Running />} time={<Elapsed since={entry.at} />} /> : null;
  }
  return (
    <Line
      kind="thought"
      what={open ? latestSentence(text) : firstSentence(text)}
      state={open && <Running />}
      time={open ? <Elapsed since={entry.at} /> : ms === undefined ? undefined : duration(ms)}
    >
      <div class="fold thought">
        {text.trim().split(/\n{2,}/).map((paragraph, index) => <p key={index} dir="auto">{paragraph}</p>)}
      </div>
    </Line>
  );
}

/** A question, with what of the page it needs. */
function Asked({ entry, ended }: { entry: Entry<"approval">; ended: boolean }): VNode {
  const { basePath, now, page } = useContext(Actions);
  return <Question entry={entry} ended={ended} basePath={basePath} now={now} page={page} />;
}

/** A message the loop wrote itself, or one that another part of the machine sent (K-060). */
function LaterMessage({ entry }: { entry: Entry<"user"> }): VNode {
  const { text, injected, from } = entry.data;
  const kind = injected === "continuation" ? "nudge" : injected === "wrap_up" ? "wrap up" : from;
  if (from === "person" && !injected) {
    return (
      <div class="block joined">
        <span class="kind">you, {timeOfDay(entry.at)}</span>
        <p dir="auto">{text}</p>
      </div>
    );
  }
  return (
    <Line kind={kind} what={firstSentence(text)}>
      <div class="fold">
        <pre>{text}</pre>
      </div>
    </Line>
  );
}

function Plan({ entry }: { entry: Entry<"plan"> }): VNode {
  const { text, concerns = [] } = entry.data;
  return (
    <div class="block plan">
      <span class="kind">plan</span>
      <div class="prose">
        <Markdown text={text} final={entry.state === "done"} />
      </div>
      {concerns.map((concern) => <p key={concern} class="prose-note">{concern}</p>)}
    </div>
  );
}

function Picture({ entry }: { entry: Entry<"image"> }): VNode {
  const { basePath } = useContext(Actions);
  return (
    <figure class="block picture">
      <span class="kind">image</span>
      <img src={basePath + entry.data.ref} alt={`Picture made by ${entry.data.from}`} loading="lazy" />
      <figcaption>made by {entry.data.from}</figcaption>
    </figure>
  );
}

function Compaction({ entry }: { entry: Entry<"compaction"> }): VNode {
  const { summary, tokens_before, tokens_after } = entry.data;
  return (
    <Line
      kind="context"
      what="What came before is now sent as a summary. Nothing here was removed"
      note={`${count(tokens_before)} to ${count(tokens_after)} tokens`}
    >
      <div class="fold">
        <pre>{summary}</pre>
      </div>
    </Line>
  );
}
