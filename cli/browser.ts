/**
 * Opening the page in the person's browser (`--open`).
 *
 * @module
 */
import type { Surroundings } from "./surroundings.ts";

/** Opens the address with the system's own command. That there is none is said, and stops nothing. */
export async function openInBrowser(url: string, { stderr }: Pick<Surroundings, "stderr">): Promise<void> {
  const [command, args] = opener(Deno.build.os, url);
  try {
    const child = new Deno.Command(command, { args, stdin: "null", stdout: "null", stderr: "null" }).spawn();
    child.unref();
    await Promise.resolve();
  } catch {
    stderr(`The browser could not be opened ("${command}" is missing): open the address yourself\n`);
  }
}

/** The command that opens an address, by operating system. */
export function opener(os: typeof Deno.build.os, url: string): readonly [string, string[]] {
  if (os === "darwin") return ["open", [url]];
  if (os === "windows") return ["rundll32", ["url.dll,FileProtocolHandler", url]];
  return ["xdg-open", [url]];
}
