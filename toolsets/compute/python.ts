/**
 * Where Python is, if it is anywhere.
 *
 * @module
 */
import { join } from "node:path";

let found: string | null | undefined;

/** The path of `python3`, or `null` where there is none. Looked for once. */
export function pythonProgram(): string | null {
  if (found === undefined) found = find("python3");
  return found;
}

function find(program: string): string | null {
  const folders = (Deno.env.get("PATH") ?? "").split(":").filter((folder) => folder !== "");
  for (const folder of folders) {
    try {
      const path = join(folder, program);
      if (Deno.statSync(path).isFile) return path;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
