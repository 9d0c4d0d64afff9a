/**
 * Arguments as a tree that can be read, whole: names before values, levels set in, long texts in a box that scrolls.
 *
 * @module
 */
import type { VNode } from "preact";
import { isLong } from "../words.ts";
import { exactJson, seenPieces } from "./exact.ts";

/** `name` is what it is called, for those who do not see where it stands. */
export function Value({ value, name }: { value: unknown; name: string }): VNode {
  if (typeof value === "string") return <Text text={value} name={name} />;
  if (typeof value !== "object" || value === null) return <>{String(JSON.stringify(value) ?? "nothing")}</>;
  const entries = Object.entries(value);
  if (entries.length === 0) return <>{Array.isArray(value) ? "[] no items" : "{} nothing"}</>;
  return (
    <dl class="args">
      {entries.map(([key, inner]) => (
        <div key={key}>
          <dt>{Array.isArray(value) ? Number(key) + 1 : <Seen text={key} />}</dt>
          <dd>
            <Value value={inner} name={key} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The exact JSON of a value, behind a fold. */
export function ExactJson({ value }: { value: unknown }): VNode {
  return (
    <details class="exact">
      <summary class="link">Exact JSON</summary>
      <pre tabIndex={0} role="region" aria-label="The arguments as JSON">{exactJson(value)}</pre>
    </details>
  );
}

function Text({ text, name }: { text: string; name: string }): VNode {
  if (text === "") return <span class="odd">an empty text</span>;
  if (!isLong(text)) return <Seen text={text} />;
  return <pre class="long" tabIndex={0} role="region" aria-label={`${name}, all of it`}><Seen text={text} /></pre>;
}

function Seen({ text }: { text: string }): VNode {
  return (
    <>
      {seenPieces(text).map((piece, index) =>
        piece.unseen ? <span key={index} class="odd">{piece.text}</span> : piece.text
      )}
    </>
  );
}
