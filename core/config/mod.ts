/** Configuration: paths, the schema of every key, loading, and comment-preserving writes. */
export * from "./config.ts";
