/**
 * From a model string to a model that can be asked.
 *
 * @module
 */
import { describeModel, type Prices } from "./catalogue.ts";
import { type ModelClient, type ModelInfo, Rejected } from "./contract.ts";
import { type ModelString, parseModelString } from "./model_string.ts";
import type { ProviderOptions } from "./providers/contract.ts";

/** What a client is made with, besides its model string. */
export interface ClientOptions extends ProviderOptions {
  /** Configured prices, which beat the catalogue's. */
  readonly prices?: Prices;
}

/**
 * Makes a client. Nothing is loaded or called before the first stream, so a start pays only for the model it uses. Throws
 * `BadModelString` at once for a string that cannot be read.
 */
export function createModelClient(text: string, options: ClientOptions): ModelClient {
  const model = parseModelString(text);
  const info = describeModel(model, options.prices);
  const load = model.provider === "demo" ? () => loadDemo(model, info) : () => loadProvider(model, info, options);
  return lazyClient(info, load);
}

async function loadDemo(model: ModelString, info: ModelInfo): Promise<ModelClient> {
  const { createDemo } = await import("./demo/mod.ts");
  try {
    return await createDemo(model, info);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Rejected(`The script of "${model.string}" cannot be played: ${reason}`, "demo", undefined, { cause });
  }
}

async function loadProvider(model: ModelString, info: ModelInfo, options: ProviderOptions): Promise<ModelClient> {
  const { createProvider } = await import("./providers/mod.ts");
  return createProvider(model, info, options);
}

/** A client that is made on its first use and, once it is, costs nothing more. A failed making is tried again next time. */
function lazyClient(info: ModelInfo, load: () => Promise<ModelClient>): ModelClient {
  let made: ModelClient | undefined;
  let making: Promise<ModelClient> | undefined;
  const make = async () => {
    making ??= load();
    try {
      return made = await making;
    } finally {
      making = undefined;
    }
  };
  return {
    info,
    stream(request, signal) {
      if (made !== undefined) return made.stream(request, signal);
      return (async function* () {
        signal.throwIfAborted();
        const client = await make();
        signal.throwIfAborted();
        yield* client.stream(request, signal);
      })();
    },
  };
}
