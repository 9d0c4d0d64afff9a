/**
 * The Markdown export, read and written turn by turn: of a long conversation only one turn is in memory.
 *
 * @module
 */
import {
  type Entry,
  ENTRY_COLUMNS,
  entryOfRow,
  foldEntries,
  looseBefore,
  markdownHead,
  markdownLoose,
  type MarkdownOptions,
  markdownTurn,
} from "../log/mod.ts";
import type { Blobs } from "../storage/mod.ts";
import type { ConversationDetail } from "./contract.ts";
import type { ExportSource } from "./export.ts";

/** What `foldMarkdown` gives for the path in view, piece by piece. */
export async function* markdownPieces(
  { log, storage }: ExportSource,
  { path, ...conversation }: ConversationDetail,
  options: Pick<MarkdownOptions, "full" | "timeZone">,
): AsyncGenerator<string> {
  yield markdownHead(conversation, path, options);
  const rows = await storage.database.read(
    `select ${ENTRY_COLUMNS} from entries where conversation = ? and turn is null order by seq`,
    [conversation.id],
  );
  let loose: readonly Entry[] = rows.map(entryOfRow);
  for (const turn of path) {
    const entries = await log.entriesOfTurns(conversation.id, [turn.id]);
    const view = foldEntries([turn], entries).turns[0]!;
    const [before, after] = looseBefore(loose, view);
    const payloads = options.full ? await wholeResults(entries, storage.blobs) : undefined;
    yield markdownLoose(before, options) + markdownTurn(view, { ...options, payloads });
    loose = after;
  }
  yield markdownLoose(loose, options);
}

/** Results that were too long for their entries, by reference. Those whose file is lost are left out. */
async function wholeResults(entries: readonly Entry[], blobs: Blobs): Promise<ReadonlyMap<string, string>> {
  const refs = new Set(entries.flatMap((entry) => entry.kind === "tool" ? entry.data.result_ref ?? [] : []));
  const found = new Map<string, string>();
  for (const ref of refs) {
    const blob = await blobs.get(ref.replace("/payloads/", ""));
    if (blob) found.set(ref, new TextDecoder().decode(blob.bytes));
  }
  return found;
}
