/**
 * `malama toolsets accept NAME`: a third party's toolset, as it is now, is one that may be run.
 *
 * @module
 */
import { acceptPlugin } from "../core/sandbox/mod.ts";
import type { Flags } from "./command_line.ts";
import { oneLine } from "./control_filter.ts";
import { Mistake } from "./mistake.ts";
import { loadStartConfig } from "./startup.ts";
import type { Surroundings } from "./surroundings.ts";

/** Accepts the toolset and shows what it says of itself. Throws `Mistake` with what is wrong with it. */
export async function runAccept(name: string, flags: Flags, surroundings: Surroundings): Promise<number> {
  const config = await loadStartConfig(flags, surroundings);
  const accepted = await acceptPlugin(name, { config, env: surroundings.env }).catch((error) => {
    throw new Mistake(`The toolset "${name}" was not accepted: ${oneLine(error.message, 600)}`, 1);
  });
  const { description, tools } = accepted.description;
  surroundings.stdout(`Accepted ${name}: ${oneLine(description, 200)}\n`);
  for (const { spec } of tools) surroundings.stdout(`  ${spec.name}  ${oneLine(spec.description, 100)}\n`);
  if (accepted.table !== null) {
    surroundings.stdout(`It asks for more than it was granted. To grant all of it, write in ${config.file}:\n\n`);
    surroundings.stdout(`${accepted.table}\n\n`);
  }
  surroundings.stdout("A Malama that is running takes it up when it is started again.\n");
  return 0;
}
