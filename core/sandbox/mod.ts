/** The sandbox: what models write and third parties made runs here, in processes of its own, with what was granted and no more. */
import { serviceKey } from "../tool/mod.ts";
import { type ChildResult, type CodeHome, type CodeRequest, runTypeScript } from "./code.ts";
import { type CommandRequest, runCommand } from "./command.ts";

export { type ChildResult, CODE_LIMITS, type CodeRequest } from "./code.ts";
export { COMMAND_LIMITS, type CommandRequest, LONGEST_COMMAND_SECONDS, NotStarted } from "./command.ts";
export type { Permissions } from "./deno_child.ts";
export { grantTable, missingGrants, readGrants } from "./grants.ts";
export type { AppliedLimits, ChildEnd, Limits } from "./limits.ts";
export { TooManyFiles } from "./links.ts";
export {
  absentToolset,
  acceptPlugin,
  declaredPlugins,
  openPlugins,
  type PluginOptions,
  type Plugins,
  type PluginToolset,
} from "./plugin_toolsets.ts";
export type { Kept, Printed } from "./output.ts";
export { type GroupOptions, startGroup } from "./process_group.ts";

/** Runs code and commands. */
export interface Sandbox {
  /** Throws the signal's reason when that aborts. */
  runTypeScript(request: CodeRequest): Promise<ChildResult>;
  /** Throws `NotStarted`, and the signal's reason when that aborts. */
  runCommand(request: CommandRequest): Promise<ChildResult>;
}

/** The sandbox of the house. */
export const SANDBOX = serviceKey<Sandbox>("sandbox");

/** Makes the sandbox; it keeps what it compiles in `home.folder`, which is made on first use. */
export function createSandbox(home: CodeHome): Sandbox {
  return {
    runTypeScript: (request) => runTypeScript(home, request),
    runCommand: (request) => runCommand(home.env, request),
  };
}
