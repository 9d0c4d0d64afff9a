/** Models: the stream contract, providers, strings, catalogue and resolution. */
export * from "./contract.ts";
export * from "./model_string.ts";
export * from "./quirks.ts";
export { type CatalogueModel, catalogueOf, costOf, describeModel, isDemo, type Prices, quirksOf } from "./catalogue.ts";
export { type ClientOptions, createModelClient } from "./client.ts";
export {
  KEYED_EXAMPLES,
  type ScriptedModel,
  scriptedModel,
  type ScriptedTurn,
  TOUR_NOTICE,
  type TourOpening,
  tourOpenings,
} from "./demo/mod.ts";
export { LocalModelCache } from "./local_cache.ts";
export { listLocalModels, type LocalModel, type LocalProbe } from "./local_servers.ts";
export { DEMO_MODEL, resolveDefaultModel, type ResolvedModel, type ResolveOptions } from "./resolve.ts";
export {
  keyVariables,
  providerAddress,
  providerKey,
  providerLabel,
  type ProviderOptions,
  splitCredentials,
} from "./providers/mod.ts";
export { missingKey } from "./missing_key.ts";
export {
  listModels,
  type ModelFacts,
  modelFacts,
  type ModelListOptions,
  type ModelSource,
  type ModelSummary,
  sourceOfDefault,
} from "./model_list.ts";
