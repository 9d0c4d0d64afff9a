/** Providers: a client for every model that is served over HTTP, and where their keys and addresses come from. */
export { createProvider } from "./client.ts";
export type { ProviderOptions } from "./contract.ts";
export {
  keyVariables,
  providerAddress,
  providerKey,
  providerLabel,
  type ReadEnv,
  splitCredentials,
} from "./endpoints.ts";
