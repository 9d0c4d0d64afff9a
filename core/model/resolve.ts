/**
 * Which model answers when none is named (K-322): the start's, the config's, `MALAMA_MODEL`, a local server that answers, and
 * failing all these the demonstration. A model in the cloud is never chosen without being named, whatever keys are set.
 *
 * @module
 */
import { listLocalModels, type LocalProbe } from "./local_servers.ts";
import { BadModelString, parseModelString } from "./model_string.ts";

/** The model of a machine that has no other. */
export const DEMO_MODEL = "demo:tour";

/** The default model, and who chose it. */
export interface ResolvedModel {
  readonly string: string;
  readonly source: "flag" | "config" | "environment" | "local" | "demo";
  /** The server it was found on, when `source` is `local`: an automatic choice, to be logged as a warning. */
  readonly server?: string;
}

/** What may name a model, and the effects of looking for a local one. */
export interface ResolveOptions extends LocalProbe {
  /** Named on the command line. */
  readonly flag?: string;
  /** `[assistant] model`. */
  readonly configured?: string;
}

/**
 * Resolves the default model. A named one is only read, not called (K-029). Throws `BadModelString`, which says where the
 * string was written.
 */
export async function resolveDefaultModel(options: ResolveOptions): Promise<ResolvedModel> {
  const { flag, configured } = options;
  if (flag !== undefined) return { string: read(flag, "--model"), source: "flag" };
  if (configured !== undefined) return { string: read(configured, "[assistant] model"), source: "config" };
  const named = options.env("MALAMA_MODEL")?.trim();
  if (named !== undefined && named !== "") return { string: read(named, "MALAMA_MODEL"), source: "environment" };
  const [local] = await listLocalModels(options);
  if (local !== undefined) return { string: local.string, source: "local", server: local.server };
  return { string: DEMO_MODEL, source: "demo" };
}

function read(text: string, where: string): string {
  try {
    return parseModelString(text).string;
  } catch (error) {
    if (error instanceof BadModelString) throw new BadModelString(text, error.problem, where);
    throw error;
  }
}
