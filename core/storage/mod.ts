/** Storage: the database worker and its typed client, migrations, the folder lock, and content-addressed blobs. */
export * from "./contract.ts";
