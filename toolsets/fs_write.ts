/**
 * Writing files (K section 17.4): whole ones, and exact changes.
 *
 * Invariants (tests/toolsets/fs_write_test.ts)
 * 1. What is there is replaced only by an agent that has read it in this conversation and while it is unchanged (T-149).
 * 2. A file is whole at every moment: the new text is written beside it and takes its place, its mode and links kept.
 *
 * @module
 */
import { basename, dirname, join } from "node:path";
import { defineToolset, tool, type ToolContext, z } from "malama";
import { OWN_PLACES } from "../core/sandbox/mod.ts";
import { findPlace, type Place, placesOf } from "./fs/place.ts";
import { noteRead, whyNotReplace } from "./fs/read_files.ts";
import { looksBinary, probe } from "./fs/text_file.ts";
import { answering } from "./fs.ts";

/** The longest file that is changed, in bytes. */
const LONGEST_FILE = 10 * 1024 * 1024;

const path = () => z.string().describe("A path; relative ones start in the home folder");

/** `fs_write`: writes and changes text files. */
export const fsWrite = defineToolset({
  name: "fs_write",
  description: "Writing and changing text files on this machine",
  guidance: "Read a file before you change it. Change a part with `edit_file`; `write_file` replaces the whole.",
  settings: {
    roots: z.string().default("").describe(
      "Folders files may be written in, separated by commas; the home folder when empty",
    ),
  },
  tools: ({ settings }) => {
    const home = Deno.env.get("HOME") ?? "/";
    return [
      tool({
        name: "write_file",
        description:
          "Writes a text file: a new one, or the whole of one you have read. For a part of a file take edit_file.",
        input: z.object({ path: path(), content: z.string().describe("The whole text of the file") }),
        concurrent: false,
        async run({ path, content }, call) {
          const places = placesOf(settings.roots, home, call.use(OWN_PLACES), true);
          return await answering(path, async () => {
            const place = await findPlace(path, places);
            const problem = await replaceProblem(path, place, call);
            if (problem !== null) return problem;
            await replace(place, content);
            await noteRead(call, place.path);
            const lines = content === "" ? 0 : content.replace(/\n$/, "").split("\n").length;
            return `${place.isNew ? "Wrote" : "Replaced"} ${place.path}: ${lines} lines.`;
          });
        },
      }),

      tool({
        name: "edit_file",
        description: "Replaces one passage of a text file you have read. The old text has to stand in it exactly once.",
        input: z.object({
          path: path(),
          old_text: z.string().min(1, "give the text to replace").describe(
            "The passage as it stands, with its line ends",
          ),
          new_text: z.string().describe("What stands there instead"),
        }),
        concurrent: false,
        async run({ path, old_text, new_text }, call) {
          const places = placesOf(settings.roots, home, call.use(OWN_PLACES), true);
          return await answering(path, async () => {
            const place = await findPlace(path, places);
            if (place.isNew) throw new Deno.errors.NotFound();
            const problem = await replaceProblem(path, place, call);
            if (problem !== null) return problem;
            const text = await Deno.readTextFile(place.path);
            const [old, fresh] = withLineEndsOf(text, old_text, new_text);
            const count = text.split(old).length - 1;
            if (count === 0) return `Nothing was changed: the old text does not stand in ${path}. Read it again.`;
            if (count > 1) {
              return `Nothing was changed: the old text stands in ${path} ${count} times. Give more of what is around it.`;
            }
            await replace(place, text.replace(old, () => fresh));
            await noteRead(call, place.path);
            const line = text.slice(0, text.indexOf(old)).split("\n").length;
            return `Changed ${place.path} at line ${line}.`;
          });
        },
      }),
    ];
  },
});

/** What keeps a place from being replaced, as a sentence; `null` when nothing does. */
async function replaceProblem(path: string, place: Place, call: ToolContext): Promise<string | null> {
  if (place.isNew) return null;
  const { isFile, size } = await Deno.stat(place.path);
  if (!isFile) return `${path} is no file, so it was not written.`;
  if (size > LONGEST_FILE) return `${path} is larger than ${LONGEST_FILE} bytes, so it was not changed.`;
  if (looksBinary(await probe(place.path))) return `${path} is not text, so it was not changed.`;
  switch (await whyNotReplace(call, place.path)) {
    case "unread":
      return `${path} exists and you have not read it in this conversation: read it with read_file first.`;
    case "changed":
      return `${path} has changed since you read it: read it again with read_file.`;
    default:
      return null;
  }
}

/** Writes beside the file and takes its place. */
async function replace({ path, isNew }: Place, text: string): Promise<void> {
  const folder = dirname(path);
  if (isNew) await Deno.mkdir(folder, { recursive: true });
  const mode = isNew ? 0o644 : (await Deno.stat(path)).mode ?? 0o644;
  const beside = join(folder, `.${basename(path)}.${crypto.randomUUID().slice(0, 8)}.tmp`);
  try {
    await Deno.writeTextFile(beside, text, { mode: mode & 0o777, createNew: true });
    if (Deno.build.os !== "windows") await Deno.chmod(beside, mode & 0o777);
    await Deno.rename(beside, path);
  } catch (error) {
    await Deno.remove(beside).catch(() => {});
    throw error;
  }
}

/** A model writes "\n"; in a file of "\r\n" its passages are read that way. */
function withLineEndsOf(text: string, old: string, fresh: string): readonly [string, string] {
  if (text.includes(old) || !text.includes("\r\n")) return [old, fresh];
  const windows = (part: string) => part.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n");
  return [windows(old), windows(fresh)];
}
