/**
 * The request as a tree: folds that are read when they are opened.
 *
 * @module
 */
import { createContext, type VNode } from "preact";
import { useContext, useState } from "preact/hooks";
import { Chevron } from "../shell/Icon.tsx";
import { clip, count, size, some } from "../words.ts";
import { pictureIn } from "./picture_data.ts";
import { childrenOf, type JsonNode, NotJson, valueOf } from "./request_tree.ts";

export interface TreeSource {
  readonly text: string;
  /** What a picture of so many bytes is called, where that is known. */
  readonly pictureName: (bytes: number) => string | null;
}

const Source = createContext<TreeSource>({ text: "", pictureName: () => null });

/** So many values of a level are drawn at once. */
const PAGE = 200;
/** A text longer than this is cut on its line, in characters. */
const LINE = 120;
/** "Show all" shows so much at a time, in characters. */
const PIECE = 20_000;

/** The whole request. Its first level is open. */
export function Tree({ source, root }: { source: TreeSource; root: JsonNode }): VNode {
  return (
    <Source.Provider value={source}>
      <div class="tree">
        <Level node={root} />
      </div>
    </Source.Provider>
  );
}

function Level({ node }: { node: JsonNode }): VNode {
  const { text } = useContext(Source);
  const [shown, setShown] = useState(PAGE);
  const children = read(() => childrenOf(text, node));
  if (children instanceof NotJson) return <p class="help">{children.message}.</p>;
  return (
    <ul role="list">
      {children.slice(0, shown).map((child) => (
        <li key={child.start} class={isNest(child) ? undefined : "leaf"}>
          {isNest(child) ? <Nest node={child} /> : <Leaf node={child} />}
        </li>
      ))}
      {children.length > shown && (
        <li class="leaf">
          <button type="button" class="more" onClick={() => setShown(shown + PAGE)}>
            show {count(Math.min(PAGE, children.length - shown))} more of {count(children.length)}
          </button>
        </li>
      )}
    </ul>
  );
}

function Nest({ node }: { node: JsonNode }): VNode {
  const { text } = useContext(Source);
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Chevron />
        <span class="key">{node.key}</span>
        <span class="val">{nameIn(text, node)}</span>
        <span class="type">{node.kind === "array" ? some(node.count, "item") : some(node.count, "field")}</span>
      </summary>
      {open && <Level node={node} />}
    </details>
  );
}

function Leaf({ node }: { node: JsonNode }): VNode {
  const { text, pictureName } = useContext(Source);
  if (node.kind !== "string") {
    return (
      <>
        <span class="key">{node.key}</span>
        <span class="val">{text.slice(node.start, node.end)}</span>
        <span class="type">{node.kind === "boolean" ? "yes or no" : node.kind === "null" ? "nothing" : "number"}</span>
      </>
    );
  }
  const picture = pictureIn(text, node.start + 1, node.end - 1);
  if (picture) {
    return (
      <>
        <span class="key">{node.key}</span>
        <span class="val">{pictureName(picture.bytes) ?? "a picture"}</span>
        <span class="type">{picture.mediaType}, {size(picture.bytes)}</span>
      </>
    );
  }
  return <TextLeaf node={node} />;
}

function TextLeaf({ node }: { node: JsonNode }): VNode {
  const { text } = useContext(Source);
  const [shown, setShown] = useState(0);
  const length = node.end - node.start - 2;
  const line = text.slice(node.start, node.end);
  const isLong = length > LINE || line.includes("\\n");
  const whole = shown > 0 ? read(() => valueOf(text, node)) : null;
  const label = `text${length > 1000 ? `, ${size(length)}` : ""}`;
  return (
    <>
      <span class="key">{node.key}</span>
      {shown === 0 && <span class="val">{clip(line, LINE)}</span>}
      {isLong && (
        <button
          type="button"
          class="more"
          aria-expanded={shown > 0}
          aria-label={shown === 0 ? `Show all of ${node.key}` : `Show less of ${node.key}`}
          onClick={() => setShown(shown === 0 ? PIECE : 0)}
        >
          {shown === 0 ? "show all" : "show less"}
        </button>
      )}
      <span class="type">{label}</span>
      {typeof whole === "string" && (
        <div class="whole">
          <pre tabIndex={0} role="region" aria-label={`${node.key}, all of it`}>{whole.slice(0, shown)}</pre>
          {whole.length > shown && (
            <button type="button" class="more" onClick={() => setShown(shown + PIECE)}>
              show more, {size(whole.length - shown)} left
            </button>
          )}
        </div>
      )}
      {whole instanceof NotJson && <p class="whole help">{whole.message}.</p>}
    </>
  );
}

function isNest(node: JsonNode): boolean {
  return node.count > 0;
}

/** What tells one message, tool or part from the next: the first of these that is a short text. */
const NAMES = ["role", "name", "type", "text"];

function nameIn(text: string, node: JsonNode): string {
  if (node.kind !== "object") return "";
  const children = read(() => childrenOf(text, node));
  if (children instanceof NotJson) return "";
  const inner = children.find(({ key, kind }) => key === "function" && kind === "object");
  for (const name of inner ? ["name", ...NAMES] : NAMES) {
    const among = inner && name === "name" ? read(() => childrenOf(text, inner)) : children;
    const child = among instanceof NotJson ? undefined : among.find(({ key }) => key === name);
    if (child?.kind === "string") return clip(text.slice(child.start + 1, child.end - 1), 60);
  }
  return "";
}

function read<T>(work: () => T): T | NotJson {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotJson) return error;
    throw error;
  }
}
