/** Models: the stream contract, providers, strings, catalogue and resolution. */
export * from "./contract.ts";
export * from "./model_string.ts";
export { closest } from "./near_miss.ts";
export * from "./quirks.ts";
export { type CatalogueModel, catalogueOf, costOf, describeModel, isDemo, type Prices, quirksOf } from "./catalogue.ts";
export { type ClientOptions, createModelClient } from "./client.ts";
export { KEYED_EXAMPLES } from "./demo/answers.ts";
export { TOUR_NOTICE, type TourOpening, tourOpenings } from "./demo/openings.ts";
export { type ScriptedModel, scriptedModel } from "./demo/scripted.ts";
export type { ScriptedTurn } from "./demo/script.ts";
export { listLocalModels, type LocalModel, type LocalProbe } from "./local_servers.ts";
export { DEMO_MODEL, resolveDefaultModel, type ResolvedModel, type ResolveOptions } from "./resolve.ts";
export { keyVariables, providerAddress, providerKey, providerLabel } from "./providers/endpoints.ts";
export * from "./providers/contract.ts";
