/**
 * A person at a terminal: the real `malama chat` on a screen the test reads.
 *
 * @module
 */
import { runChat } from "../../cli/chat.ts";
import { Wire } from "../../cli/wire.ts";
import { ScriptedTerminal } from "../cli/scripted_terminal.ts";

export interface TerminalSeat extends AsyncDisposable {
  readonly terminal: ScriptedTerminal;
  /** The exit status. */
  readonly done: Promise<number>;
}

/** Opens a conversation in a terminal. Disposing leaves. */
export function sitDown(address: { readonly url: string; readonly token: string }, conversation: string): TerminalSeat {
  const terminal = new ScriptedTerminal(true);
  const wire = new Wire(address, () => Promise.resolve(address));
  const done = runChat({ wire, terminal, conversation, pauses: [20, 200] });
  done.catch(() => {});
  return {
    terminal,
    done,
    async [Symbol.asyncDispose]() {
      terminal.events.push({ kind: "leave" });
      await done;
    },
  };
}
