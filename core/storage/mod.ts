/** Storage: the database worker and its typed client, migrations, the folder lock, and content-addressed blobs. */
export * from "./contract.ts";
export * from "./errors.ts";
export { type LockNote, readLock } from "./lock.ts";
export { openStorage, type OpenStorageOptions } from "./open.ts";
export { UNSPACED } from "./search_index.ts";
