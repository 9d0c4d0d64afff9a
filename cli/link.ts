/**
 * Reaching the assistant over the wire: the server that holds the data folder, or one started in this process.
 *
 * @module
 */
import type { Config } from "../core/config/mod.ts";
import type { Flags } from "./command_line.ts";
import { findServer, readToken } from "./server_link.ts";
import type { Surroundings } from "./surroundings.ts";
import { Mistake } from "./mistake.ts";
import { Wire } from "./wire.ts";

/** The wire, and what ends it. */
export interface Link {
  readonly wire: Wire;
  /** Where the server is, for the person. */
  readonly about: string;
  /** Ends the server, where it was started for this. */
  close(): Promise<void>;
}

/** Finds or starts a server. With `talks: false` it may have no model: nothing will be asked of one. */
export async function openLink(
  config: Config,
  flags: Flags,
  surroundings: Surroundings,
  { talks = true }: { readonly talks?: boolean } = {},
): Promise<Link> {
  const running = await findServer(config.dataDir);
  if (running) {
    if (flags.system !== undefined) {
      throw new Mistake(
        `"--system" needs a server of its own, and process ${running.pid} serves this folder: stop it first`,
      );
    }
    const address = await running.address();
    const locate = async () => {
      const server = await findServer(config.dataDir);
      return server ? await server.address() : address;
    };
    const close = () => Promise.resolve();
    return { wire: new Wire(address, locate), about: `Talking to the server at ${address.url}`, close };
  }
  const { startServer } = await import("./serve.ts");
  const web = { ...config.web, host: "127.0.0.1", port: 0 };
  const own = await startServer(config, flags, surroundings, { web, talks });
  const address = { url: own.server.url, token: await readToken(config.dataDir) };
  return {
    wire: new Wire(address, () => Promise.resolve(address)),
    about: `Malama ${surroundings.version}, model ${own.assistant.defaultModel.string}`,
    close: own.close,
  };
}
