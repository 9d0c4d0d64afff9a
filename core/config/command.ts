/**
 * What a person types to run Malama, for sentences that say what to run: it has to be what works where they are.
 *
 * @module
 */

/** The installed program's own name; from the source the task, with Node.js alone through npx. */
export function commandName(standalone: boolean, environment: (name: string) => string | undefined): string {
  if (standalone) return "malama";
  const throughNpx = environment("npm_command") === "exec";
  return throughNpx ? "npx -y deno task start" : "deno task start";
}

/** What this process was started with: `${MALAMA_COMMAND} login` is a command that works. */
export const MALAMA_COMMAND: string = commandName(Deno.build.standalone, (name) => Deno.env.get(name));
