/**
 * `malama chat`: finds the server that holds the data folder, or starts one in this process, and talks to it.
 *
 * @module
 */
import { runChat } from "./chat.ts";
import type { Flags } from "./command_line.ts";
import { Mistake } from "./mistake.ts";
import { findServer, readToken } from "./server_link.ts";
import { loadStartConfig } from "./startup.ts";
import type { Surroundings } from "./surroundings.ts";
import { openTerminal } from "./terminal.ts";
import { Wire } from "./wire.ts";

interface Link {
  readonly wire: Wire;
  /** Where the server is, for the person. */
  readonly about: string;
  close(): Promise<void>;
}

/** Talks until the person leaves. Gives the exit status. */
export async function runChatCommand(flags: Flags, surroundings: Surroundings): Promise<number> {
  // What the server in this process warns of goes through the terminal once there is one, or it would cut into the prompt.
  let warn = surroundings.stderr;
  const link = await connect(flags, { ...surroundings, stderr: (text) => warn(text) });
  try {
    const terminal = await openTerminal(surroundings.env);
    warn = (text) => terminal.note(text.trimEnd());
    try {
      if (terminal.interactive) terminal.note(terminal.style.dim(`${link.about}. /help lists commands`));
      return await runChat({ wire: link.wire, terminal, conversation: flags.conversation, model: flags.model });
    } finally {
      terminal.close();
      warn = surroundings.stderr;
    }
  } finally {
    await link.close();
  }
}

async function connect(flags: Flags, surroundings: Surroundings): Promise<Link> {
  const config = await loadStartConfig(flags, surroundings, { scaffold: true });
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
  const own = await startServer(config, flags, surroundings, { web });
  const address = { url: own.server.url, token: await readToken(config.dataDir) };
  return {
    wire: new Wire(address, () => Promise.resolve(address)),
    about: `Malama ${surroundings.version}, model ${own.assistant.defaultModel.string}`,
    close: own.close,
  };
}
