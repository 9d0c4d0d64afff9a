/** Models: the stream contract, providers, strings, catalogue and resolution. */
export * from "./contract.ts";
