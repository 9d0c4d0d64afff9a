/**
 * What a line means in the terminal chat: a message, or a command with a slash.
 *
 * @module
 */
import { nearest } from "../core/config/mod.ts";

export type ChatCommand =
  | "help"
  | "new"
  | "stop"
  | "continue"
  | "diag"
  | "conversations"
  | "switch"
  | "attach"
  | "think"
  | "export"
  | "quit";

export type ChatLine =
  | { readonly kind: "blank" }
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "command"; readonly command: ChatCommand; readonly argument: string }
  /** A slash and a word that is no command; `advice` is what to print. */
  | { readonly kind: "unknown"; readonly advice: string };

interface CommandRule {
  readonly does: string;
  readonly argument?: string;
}

const COMMANDS: Readonly<Record<ChatCommand, CommandRule>> = {
  new: { does: "begin a new conversation" },
  conversations: { does: "list them, newest first" },
  switch: { argument: "ID", does: "go to one, by its id or the first 6 characters" },
  attach: { argument: "PATH", does: "send a picture or a text file with the next message; none lets go" },
  think: { argument: "EFFORT", does: "default, off, low, medium or high, from now on; alone it says which" },
  export: { argument: "FILE", does: "save this conversation: Markdown, or all of it where FILE ends in .jsonl" },
  stop: { does: "stop the turn that runs" },
  continue: { does: "go on after a turn that was stopped, failed or interrupted" },
  diag: { does: "what runs now, and with which model" },
  help: { does: "this list" },
  quit: { does: "leave" },
};

/** Reads one line. A line that starts with two slashes is a message that starts with one. */
export function readLine(line: string): ChatLine {
  const text = line.trim();
  if (text === "") return { kind: "blank" };
  if (text.startsWith("//")) return { kind: "message", text: text.slice(1) };
  const match = /^\/([A-Za-z]+)(?:[ \t]+([^\n]*))?$/.exec(text);
  if (!match) return { kind: "message", text: line.trimEnd() };
  const word = match[1]!.toLowerCase();
  const argument = (match[2] ?? "").trim();
  const command = word === "exit" ? "quit" : word;
  if (!Object.hasOwn(COMMANDS, command)) return { kind: "unknown", advice: unknownCommand(word) };
  const rule = COMMANDS[command as ChatCommand];
  if (rule.argument === undefined && argument !== "") {
    return {
      kind: "unknown",
      advice: `/${command} takes nothing after it. To send this as a message, write //${word}`,
    };
  }
  return { kind: "command", command: command as ChatCommand, argument };
}

/** What `/help` prints. */
export function chatHelp(interactive: boolean): string {
  const lines = Object.entries(COMMANDS).map(([name, { argument, does }]) =>
    `/${argument === undefined ? name : `${name} ${argument}`}`.padEnd(16) + does
  );
  const keys = "Ctrl-C stops a running turn first and leaves on the second; when nothing runs it leaves at once";
  return [...lines, ...(interactive ? [keys] : [])].join("\n");
}

function unknownCommand(word: string): string {
  const near = nearest(word, Object.keys(COMMANDS));
  return `There is no /${word}: ${
    near ? `did you mean /${near}?` : "see /help"
  } To send it as a message, write //${word}`;
}
