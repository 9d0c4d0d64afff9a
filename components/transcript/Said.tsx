/**
 * The person's words: the heading of a turn, with its number and time in the margin.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import type { FileRef, ImageRef } from "../../core/log/entry.ts";
import { count, fullTime, timeOfDay } from "../words.ts";
import { Pictures } from "./Pictures.tsx";

/** More lines, or more characters, than these fold. */
const MANY_LINES = 12;
const MANY_CHARACTERS = 4000;

export interface SaidProps {
  readonly n: number;
  readonly at: string;
  readonly text: string;
  readonly images?: readonly ImageRef[];
  readonly files?: readonly FileRef[];
  /** Not kept by the server yet: its number is dim. */
  readonly pending?: boolean;
  /** The entry the page was opened at. */
  readonly marked?: boolean;
  readonly tools?: ComponentChildren;
  /** In place of the words: the field in which they are written again. */
  readonly field?: ComponentChildren;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly children?: ComponentChildren;
}

export function Said(props: SaidProps): VNode {
  const { n, at, text, images, files, pending, marked, tools, field, onKeyDown, children } = props;
  const mark = marked ? { tabIndex: -1, autofocus: true, "data-at": "" } : {};
  return (
    <div
      class={`said${pending ? " pending" : ""}${marked ? " marked" : ""}`}
      id={`turn-${n}`}
      onKeyDown={onKeyDown}
      {...mark}
    >
      <div class="said-head">
        <h2 class="folio-head">
          <a class="folio" href={`#turn-${n}`} title={fullTime(at)}>
            <span class="sr">Turn</span> <span class="n">{n}</span>
            <span class="sr">,</span> <span class="time">{pending ? "" : timeOfDay(at)}</span>
            {pending && <span class="sr">not sent yet</span>}
          </a>
        </h2>
        {!pending && tools}
      </div>
      {field ?? <Words text={text} />}
      <Pictures images={images} files={files} />
      {children}
    </div>
  );
}

/** As it was written, in paragraphs; a long one is folded after its beginning. */
function Words({ text }: { text: string }): VNode | null {
  const whole = text.trim();
  if (whole === "") return null;
  const cut = cutOf(whole);
  if (cut === null) return <>{paragraphs(whole)}</>;
  return (
    <>
      {paragraphs(whole.slice(0, cut.at).trimEnd())}
      <details class="more-said">
        <summary class="link">Show all {cut.said}</summary>
        {paragraphs(whole.slice(cut.at).replace(/^\n/, ""))}
      </details>
    </>
  );
}

/** Where a long text is folded, and what is said of all of it; `null`: it is not long. */
function cutOf(text: string): { at: number; said: string } | null {
  const lines = text.split("\n");
  const upto = lines.slice(0, MANY_LINES).reduce((sum, line) => sum + line.length + 1, -1);
  if (upto <= MANY_CHARACTERS && lines.length <= MANY_LINES) return null;
  if (upto <= MANY_CHARACTERS) return { at: upto, said: `${count(lines.length)} lines` };
  const space = text.lastIndexOf(" ", MANY_CHARACTERS);
  return {
    at: space > MANY_CHARACTERS / 2 ? space : MANY_CHARACTERS,
    said: `${count(text.length)} characters`,
  };
}

function paragraphs(text: string): readonly VNode[] {
  return text.split(/\n[ \t]*\n+/).map((paragraph, index) => <p key={index} dir="auto">{paragraph}</p>);
}
