/**
 * `malama chat`: finds the server that holds the data folder, or starts one in this process, and talks to it.
 *
 * @module
 */
import { runChat } from "./chat.ts";
import type { Flags } from "./command_line.ts";
import { openLink } from "./link.ts";
import { loadStartConfig } from "./startup.ts";
import type { Surroundings } from "./surroundings.ts";
import { openTerminal } from "./terminal.ts";

/** Talks until the person leaves. Gives the exit status. */
export async function runChatCommand(flags: Flags, surroundings: Surroundings): Promise<number> {
  // What the server in this process warns of goes through the terminal once there is one, or it would cut into the prompt.
  let warn = surroundings.stderr;
  const around = { ...surroundings, stderr: (text: string) => warn(text) };
  const link = await openLink(await loadStartConfig(flags, around, { scaffold: true }), flags, around);
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
