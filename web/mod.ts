/** What the command line needs of the web room. Routes import the file they mean. */
export * from "./listen_errors.ts";
export { BadTokenFile } from "./token_file.ts";
export { type RunningServer, serve, type ServeOptions } from "./serve.ts";
