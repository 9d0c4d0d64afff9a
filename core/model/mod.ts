/** Models: the stream contract, providers, strings, catalogue and resolution. */
export * from "./contract.ts";
export * from "./model_string.ts";
export { closest } from "./near_miss.ts";
export * from "./quirks.ts";
export { type CatalogueModel, catalogueOf, costOf, describeModel, isDemo, type Prices, quirksOf } from "./catalogue.ts";
export { type ClientOptions, createModelClient } from "./client.ts";
export { TOUR_NOTICE, type TourOpening, tourOpenings } from "./demo/openings.ts";
export { type ScriptedModel, scriptedModel } from "./demo/scripted.ts";
export type { ScriptedTurn } from "./demo/script.ts";
export * from "./providers/contract.ts";
