/**
 * The request of a call, as it was sent. Nothing is fetched before it is unfolded (K-306), and one over the ceiling is only
 * offered as a file.
 *
 * @module
 */
import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Entry, ImageRef, RoundData } from "../../core/log/entry.ts";
import type { TurnView } from "../../core/log/folds/transcript.ts";
import { Chevron } from "../shell/Icon.tsx";
import { size } from "../words.ts";
import { MadeOf } from "./MadeOf.tsx";
import { partsOf } from "./request_parts.ts";
import { NotJson, rootOf } from "./request_tree.ts";
import { Tree } from "./Tree.tsx";

/** Requests larger than this are only offered as a file, in bytes. */
export const SHOWN_LIMIT = 5_000_000;

/** Requests larger than this are counted but not kept, in bytes (`core/agent/request_capture.ts`). */
const KEPT_LIMIT = 16 * 1024 * 1024;

export interface RequestViewProps {
  readonly view: TurnView;
  readonly data: RoundData;
  /** Where the file is saved from. */
  readonly file: string | null;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly load: (ref: string) => Promise<string>;
}

export function RequestView({ view, data, file, open, onOpen, load }: RequestViewProps): VNode {
  const { request_ref: ref, request_bytes: bytes } = data;
  if (ref === undefined) return <Missing bytes={bytes} />;
  if (bytes > SHOWN_LIMIT) {
    return (
      <section>
        <h3 class="small-head">The request, as sent</h3>
        <p class="help">
          {size(bytes)} is more than this page shows. {file && <a href={file} download>Save it as a file</a>}
        </p>
      </section>
    );
  }
  return (
    <details class="request" open={open} onToggle={(event) => onOpen(event.currentTarget.open)}>
      <summary class="small-head">
        <Chevron />
        <h3>The request, as sent</h3>
        <span class="type">{size(bytes)}</span>
      </summary>
      {open && <Loaded key={ref} view={view} data={data} load={() => load(ref)} />}
    </details>
  );
}

function Missing({ bytes }: { bytes: number }): VNode {
  return (
    <section>
      <h3 class="small-head">The request, as sent</h3>
      {bytes > KEPT_LIMIT ? <p class="help">It was {size(bytes)}, which is more than is kept.</p> : (
        <p class="help">
          It was not kept. To keep requests from now on, write <code>capture_requests = true</code> under{" "}
          <code>[assistant]</code> in <code>config.toml</code>.
        </p>
      )}
    </section>
  );
}

type Loading = { readonly text: string } | { readonly reason: string } | "asking";

function Loaded({ view, data, load }: { view: TurnView; data: RoundData; load: () => Promise<string> }): VNode | null {
  const [loading, setLoading] = useState<Loading>("asking");
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let wanted = true;
    load().then(
      (text) => wanted && setLoading({ text }),
      (error) => wanted && setLoading({ reason: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      wanted = false;
    };
  }, [tries]);
  if (loading === "asking") {
    return (
      <p class="help slow-word" role="status">
        <span class="mark run" /> Fetching it
      </p>
    );
  }
  if ("reason" in loading) {
    return (
      <p class="help" role="alert">
        {loading.reason}. <button type="button" class="link" onClick={() => setTries(tries + 1)}>Try again</button>
      </p>
    );
  }
  return <Shown text={loading.text} view={view} data={data} />;
}

function Shown({ text, view, data }: { text: string; view: TurnView; data: RoundData }): VNode {
  const read = useMemo(() => readRequest(text, saidIn(view)), [text, view.turn.id]);
  if (read instanceof NotJson) return <p class="help" role="alert">{read.message}.</p>;
  const pictures = picturesIn(view.entries);
  return (
    <>
      <MadeOf parts={read.parts} usage={data.usage} />
      <Tree source={{ text, pictureName: (bytes) => nameOf(pictures, bytes) }} root={read.root} />
    </>
  );
}

function readRequest(text: string, said: string) {
  try {
    const root = rootOf(text);
    return { root, parts: partsOf(text, root, said) };
  } catch (error) {
    if (error instanceof NotJson) return error;
    throw error;
  }
}

function saidIn(view: TurnView): string {
  const first = view.entries.find((entry): entry is Entry<"user"> => entry.kind === "user");
  return first?.data.text ?? "";
}

function picturesIn(entries: readonly Entry[]): readonly ImageRef[] {
  return entries.flatMap((entry) =>
    entry.kind === "user" ? entry.data.images : entry.kind === "tool" ? entry.data.images ?? [] : []
  );
}

/** A picture is known again by its size. */
function nameOf(pictures: readonly ImageRef[], bytes: number): string | null {
  return pictures.find((picture) => picture.bytes === bytes)?.name ?? null;
}
