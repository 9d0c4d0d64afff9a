/**
 * What `--help` prints.
 *
 * @module
 */
import { MALAMA_COMMAND } from "../core/config/mod.ts";
import type { CommandName } from "./command_line.ts";

const GENERAL = `Malama, a personal assistant that runs on your own machine.

Usage: malama [command] [flags]

Commands
  serve      Serve the page and the wire (what happens when no command is given)
  chat       Talk in this terminal
  export     Save a conversation as Markdown or JSONL
  import     Take in a conversation that was exported as JSONL
  login      Print a new one-time login link of the running server
  config     config init, config check, config path
  agents     The declared agents
  toolsets   The installed toolsets
  models     The models that can be chosen
  doctor     Check the configuration, the data folder, the model and the port

Flags
  --config FILE           Read this file instead of config.toml
  --model STRING          Use this model, such as ollama:qwen3:8b
  --system TEXT           Another system message for the entry agent
  --host NAME             Address to listen on
  --port NUMBER           Port to listen on; 0 takes any free one
  --frontend web|cli      The page, or this terminal
  --open                  Open the page in the browser
  --conversation ID       chat: go on with this one, or "latest"
  --format md|jsonl, --full, -o FILE, --force       export: see malama export --help
  --help, --version
`;

const COMMAND_HELP: Readonly<Record<CommandName, string>> = {
  serve: `Usage: malama [serve] [--config FILE] [--model STRING] [--system TEXT]
       [--host NAME] [--port NUMBER] [--open]

Serves the page at http://127.0.0.1:8000 and prints a one-time login link. Ctrl-C stops it; whatever runs is recorded.
`,
  chat: `Usage: malama chat [--conversation ID|latest] [--config FILE] [--model STRING] [--system TEXT]

Talks to the server that holds the data folder, or starts one inside this process. Reads lines, also from a pipe.
--model chooses the model of a new conversation. Commands: /new, /stop, /diag, /help, /quit.
Ctrl-C stops a running turn first and leaves on the second.
`,
  export: `Usage: malama export ID|latest [--full] [--format md|jsonl] [-o FILE] [--force] [--config FILE]

Prints a conversation, or writes it to FILE: as Markdown to keep, or as JSONL from which all of it can be rebuilt.
--full adds thinking and whole results to Markdown, pictures and other files to JSONL. Without --format the name of FILE
decides, else md; "-" is stdout. A FILE that is there is overwritten with --force only. ID may be its first 6 letters.
`,
  import: `Usage: malama import FILE [--config FILE]

Makes a new conversation of a JSONL export, with every branch, and prints its id. FILE is taken in whole or not at all;
what is wrong with it is told with its line. Export with --full to have pictures and long results in it.
`,
  login: `Usage: malama login [--config FILE]

Prints a new one-time login link of the running server. It works once and for ten minutes.
`,
  config: `Usage:
  malama config init [--path FILE] [--force]
  malama config check [--config FILE]
  malama config path

init writes the example file, check names every problem in the file, path says which file is read.
`,
  agents: `Usage: malama agents [--config FILE] [--model STRING]

Prints the declared agents with their models and tools.
`,
  toolsets: `Usage:
  malama toolsets [--config FILE]
  malama toolsets accept NAME [--config FILE]

Prints the installed toolsets with their tools. accept takes a third party's toolset as it is now: one that has changed
since it was accepted is not run.
`,
  models: `Usage: malama models [--config FILE] [--model STRING]

Prints the models that can be chosen: what is configured, what local servers offer, the demo, and those of providers
elsewhere with the key that each needs.
`,
  doctor: `Usage: malama doctor [--config FILE] [--model STRING] [--host NAME] [--port NUMBER]

Checks the configuration, the data folder, the store, the model and the port. Exits 1 when something is wrong.
`,
};

/** The help of one command, or of all, with the name that works where it is read. */
export function helpText(command: CommandName | null): string {
  const text = command === null ? GENERAL : COMMAND_HELP[command];
  return text.replaceAll("malama ", `${MALAMA_COMMAND} `);
}
