/**
 * The models of a running Malama: the default one, once it is known, and a client for each string that is asked for.
 *
 * @module
 */
import type { Config } from "./config/mod.ts";
import {
  createModelClient,
  describeModel,
  listModels,
  LocalModelCache,
  type ModelClient,
  type ModelInfo,
  type ModelSummary,
  parseModelString,
  type ProviderOptions,
  resolveDefaultModel,
} from "./model/mod.ts";

/** Where the default model came from. */
export interface DefaultModel {
  readonly string: string;
  readonly source: "flag" | "config" | "environment" | "local" | "demo";
  readonly info: ModelInfo;
}

/** What models are used with. */
export interface ModelsOptions {
  readonly config: Config;
  readonly env: (name: string) => string | undefined;
  /** `--model`: goes before the file. */
  readonly flag?: string;
  readonly fetch?: typeof fetch;
  readonly provider?: Pick<ProviderOptions, "stallTimeoutMs" | "attempts" | "backoffMs" | "random">;
  readonly now: () => Date;
  readonly report: (level: "INFO" | "WARNING", subsystem: string, message: string) => void;
}

/** The models in use. */
export interface ModelsInUse {
  /** Until `resolved`: what is named, or the demo, which is what there is without a network. */
  readonly chosen: DefaultModel;
  /** Resolves when the default is known; rejects when there can be none. */
  readonly resolved: Promise<void>;
  /** The default model string, once it is known. */
  defaultModel(): Promise<string>;
  /** The one client of a model string. */
  client(model: string): ModelClient;
  /** A client of its own, whose warnings go to `onWarning`. */
  connect(model: string, onWarning: (text: string) => void): ModelClient;
  /** Those of `all` providers, or of those that have a key or are in use. */
  list(all: boolean): Promise<readonly ModelSummary[]>;
  close(): void;
}

/** Begins to find the default model, and makes clients as they are asked for. */
export function openModels({ config, env, flag, fetch, provider, now, report }: ModelsOptions): ModelsInUse {
  const { prices } = config;
  const ownPorts = [config.web.port];
  const asDefault = (found: Pick<DefaultModel, "string" | "source">): DefaultModel => ({
    ...found,
    info: describeModel(parseModelString(found.string), prices),
  });
  const clients = new Map<string, ModelClient>();
  const connect = (model: string, onWarning: (text: string) => void): ModelClient =>
    createModelClient(model, { env, fetch, prices, onWarning, ...provider });
  const named = flag ?? config.assistant.model;
  let chosen = asDefault({ string: named ?? "demo:tour", source: flag ? "flag" : named ? "config" : "demo" });
  const resolved = resolveDefaultModel({ flag, configured: config.assistant.model, env, fetch, ownPorts })
    .then((found) => {
      chosen = asDefault(found);
      const level = found.source === "local" ? "WARNING" : "INFO";
      report(level, "models", `default model: ${found.string} (${found.source})`);
    });
  const local = new LocalModelCache({ env, fetch, ownPorts, now });
  return {
    get chosen() {
      return chosen;
    },
    resolved,
    async defaultModel() {
      await resolved;
      return chosen.string;
    },
    client(model) {
      const made = clients.get(model) ?? connect(model, (text) => report("WARNING", "models", text));
      clients.set(model, made);
      return made;
    },
    connect,
    list: async (all) =>
      listModels({
        chosen: chosen.string,
        declared: Object.values(config.agents).flatMap((agent) => agent.model ?? []),
        served: await local.models(),
        prices,
        env,
        all,
      }),
    close: () => local.close(),
  };
}
