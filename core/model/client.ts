/**
 * From a model string to a model that can be asked.
 *
 * @module
 */
import { describeModel, type Prices } from "./catalogue.ts";
import type { ModelClient } from "./contract.ts";
import { createDemo } from "./demo/mod.ts";
import { parseModelString } from "./model_string.ts";
import { createProvider, type ProviderOptions } from "./providers/mod.ts";

/** What a client is made with, besides its model string. */
export interface ClientOptions extends ProviderOptions {
  /** Configured prices, which beat the catalogue's. */
  readonly prices?: Prices;
}

/**
 * Makes a client. Nothing is opened or called before the first stream. Throws `BadModelString` for a string that cannot be
 * read.
 */
export function createModelClient(text: string, options: ClientOptions): ModelClient {
  const model = parseModelString(text);
  const info = describeModel(model, options.prices);
  return model.provider === "demo" ? createDemo(model, info) : createProvider(model, info, options);
}
