/**
 * The terminal: what is typed comes in as events, what is printed goes out between the person's own line and the output.
 *
 * Two ways, one shape. With a real terminal on both ends a line editor (history, UTF-8, pasting several lines) stands
 * below the output and steps aside while something is printed. Otherwise lines are read and text is written, nothing else.
 *
 * @module
 */
import type { ChatScreen } from "./chat_session.ts";
import type { EventQueue } from "./event_queue.ts";
import { mayColour } from "./style.ts";

export type TerminalEvent =
  | { readonly kind: "line"; readonly text: string }
  /** Ctrl-C. */
  | { readonly kind: "interrupt" }
  /** No more lines can come. */
  | { readonly kind: "end" }
  /** To leave at once: all is done, the output is gone, or the system says so. */
  | { readonly kind: "leave" };

export interface Terminal extends ChatScreen {
  readonly events: EventQueue<TerminalEvent>;
  /** Whether a person sits there, who sees what was typed. */
  readonly interactive: boolean;
  close(): void;
}

/** Opens the terminal of this process. */
export async function openTerminal(env: (name: string) => string | undefined): Promise<Terminal> {
  const colour = mayColour(Deno.stdout.isTerminal(), env);
  if (Deno.stdin.isTerminal() && Deno.stdout.isTerminal() && env("TERM") !== "dumb") {
    const { LineTerminal } = await import("./line_terminal.ts");
    return new LineTerminal(colour);
  }
  const { PipeTerminal } = await import("./pipe_terminal.ts");
  return new PipeTerminal(colour);
}
