/**
 * The person's words: the heading of a turn, with its number and time in the margin.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { useContext } from "preact/hooks";
import type { ImageRef } from "../../core/log/entry.ts";
import { CopyButton } from "../shell/CopyButton.tsx";
import { count, fullTime, timeOfDay } from "../words.ts";
import { Actions } from "./actions.ts";

/** More lines than this fold. */
const MANY_LINES = 12;

export interface SaidProps {
  readonly n: number;
  readonly at: string;
  readonly text: string;
  readonly images?: readonly ImageRef[];
  /** Not kept by the server yet: its number is dim. */
  readonly pending?: boolean;
  readonly children?: ComponentChildren;
}

export function Said({ n, at, text, images = [], pending, children }: SaidProps): VNode {
  const { basePath } = useContext(Actions);
  return (
    <div class={pending ? "said pending" : "said"} id={`turn-${n}`}>
      <div class="said-head">
        <h2 class="folio-head">
          <a class="folio" href={`#turn-${n}`} title={fullTime(at)}>
            <span class="sr">Turn</span> <span class="n">{n}</span>
            <span class="sr">,</span> <span class="time">{pending ? "" : timeOfDay(at)}</span>
            {pending && <span class="sr">not sent yet</span>}
          </a>
        </h2>
        {!pending && (
          <div class="said-tools">
            <CopyButton text={text} label={`Copy message ${n}`} />
          </div>
        )}
      </div>
      <Words text={text} />
      {images.map((image) => (
        <figure key={image.ref} class="picture">
          <img src={basePath + image.ref} alt={image.name} loading="lazy" />
          <figcaption>{image.name}</figcaption>
        </figure>
      ))}
      {children}
    </div>
  );
}

/** As it was written, in paragraphs; a long one is folded after its first lines. */
function Words({ text }: { text: string }): VNode {
  const lines = text.trim().split("\n");
  if (lines.length <= MANY_LINES) return <>{paragraphs(text.trim())}</>;
  return (
    <>
      {paragraphs(lines.slice(0, MANY_LINES).join("\n"))}
      <details class="more-said">
        <summary class="link">Show all {count(lines.length)} lines</summary>
        {paragraphs(lines.slice(MANY_LINES).join("\n"))}
      </details>
    </>
  );
}

function paragraphs(text: string): readonly VNode[] {
  return text.split(/\n[ \t]*\n+/).map((paragraph, index) => <p key={index}>{paragraph}</p>);
}
