/** Models: the stream contract, providers, strings, catalogue and resolution. */
export * from "./contract.ts";
export * from "./model_string.ts";
export * from "./quirks.ts";
export * from "./providers/contract.ts";
