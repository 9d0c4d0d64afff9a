/**
 * Looking into folders and files (K section 17.4).
 *
 * K's source confines no path. We do: the folders the person opened, links followed, and never Malama's own files.
 *
 * @module
 */
import { defineToolset, tool, z } from "malama";
import { OWN_PLACES } from "../core/sandbox/mod.ts";
import { ClosedPlace, findPlace, placesOf } from "./fs/place.ts";
import { describeFolder } from "./fs/folder.ts";
import { noteRead } from "./fs/read_files.ts";
import { looksBinary, probe, readWindow } from "./fs/text_file.ts";

/** Lines of one answer (K section 17.4). */
const WINDOW_LINES = 2000;

/** The longest answer, in characters; a result holds a little more. */
const LONGEST_ANSWER = 45_000;

const path = () => z.string().describe('A path; relative ones start in the home folder, such as "notes/today.md"');

/** `fs`: lists folders and reads text files. */
export const fs = defineToolset({
  name: "fs",
  description: "Listing folders and reading text files on this machine",
  settings: {
    roots: z.string().default("").describe(
      "Folders the file tools may reach, separated by commas; the home folder when empty",
    ),
  },
  tools: ({ settings }) => {
    const home = Deno.env.get("HOME") ?? "/";
    return [
      tool({
        name: "list_directory",
        description: "Lists a folder: names, kinds and sizes, folders first.",
        input: z.object({ path: path().default("~") }),
        async run({ path }, { use }) {
          const places = placesOf(settings.roots, home, use(OWN_PLACES));
          return await answering(path, async () => {
            const place = await findPlace(path, places);
            return await describeFolder(place.path);
          });
        },
      }),

      tool({
        name: "read_file",
        description:
          `Reads a text file by lines, ${WINDOW_LINES} at most in one answer; the end of a part says how to read on.`,
        input: z.object({
          path: path(),
          max_lines: z.number().int().min(1).max(WINDOW_LINES).default(WINDOW_LINES).describe("Most lines to give"),
          offset: z.number().int().min(1).default(1).describe("The line to begin with, from 1"),
        }),
        async run({ path, max_lines, offset }, { use, conversation, agent }) {
          const places = placesOf(settings.roots, home, use(OWN_PLACES));
          return await answering(path, async () => {
            const place = await findPlace(path, places);
            if (place.isNew) throw new Deno.errors.NotFound();
            if ((await Deno.stat(place.path)).isDirectory) return `${path} is a folder: list it with list_directory.`;
            const head = await probe(place.path);
            if (looksBinary(head)) return `${path} is not text, so it was not read.`;
            const window = await readWindow(place.path, head, offset, max_lines);
            await noteRead({ conversation, agent }, place.path);
            return windowText(path, window, offset);
          });
        },
      }),
    ];
  },
});

function windowText(
  path: string,
  { lines, goesOn, seen }: { readonly lines: readonly string[]; readonly goesOn: boolean; readonly seen: number },
  offset: number,
): string {
  if (lines.length === 0) {
    return seen === 0 ? `${path} is empty.` : `${path} has ${seen} lines: line ${offset} is past its end.`;
  }
  let shown = lines;
  for (let size = joined(shown); size > LONGEST_ANSWER && shown.length > 1; size = joined(shown)) {
    shown = shown.slice(0, Math.max(1, Math.floor(shown.length * LONGEST_ANSWER / size)));
  }
  const last = offset + shown.length - 1;
  const more = goesOn || shown.length < lines.length;
  const end = more
    ? `\n[lines ${offset} to ${last}; the file goes on: read on with offset ${last + 1}]`
    : offset > 1
    ? `\n[lines ${offset} to ${last}, the end of the file]`
    : "";
  return `${shown.join("\n")}${end}`;
}

function joined(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** What the system refuses, as a sentence. */
export async function answering(path: string, work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ClosedPlace) return `${error.message}.`;
    if (error instanceof Deno.errors.NotFound) {
      return `There is nothing at ${path}. List the folder to see what there is.`;
    }
    if (error instanceof Deno.errors.PermissionDenied) return `The system does not allow ${path} to be touched.`;
    if (error instanceof Deno.errors.NotADirectory) return `${path} is not a folder: read it with read_file.`;
    throw error;
  }
}
