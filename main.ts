/**
 * The one entry point: takes the command line apart and hands over. What a command needs is loaded only then, so that
 * `--help` and a mistyped flag answer at once.
 *
 * @module
 */
import manifest from "./deno.json" with { type: "json" };
import { type CommandLine, type Flags, parseCommandLine, type PlainCommand } from "./cli/command_line.ts";
import { helpText } from "./cli/help.ts";
import { endingOf, Mistake } from "./cli/mistake.ts";
import { processSurroundings, type Surroundings } from "./cli/surroundings.ts";

/** Runs one command line and gives the exit status. Nothing is thrown: what goes wrong is told on stderr. */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    return await run(parseCommandLine(args), surroundings);
  } catch (error) {
    const { status, text } = endingOf(error);
    surroundings.stderr(`${text}\n`);
    return status;
  }
}

async function run(line: CommandLine, surroundings: Surroundings): Promise<number> {
  switch (line.kind) {
    case "help":
      surroundings.stdout(helpText(line.command));
      return 0;
    case "version":
      surroundings.stdout(`malama ${surroundings.version}\n`);
      return 0;
    case "config": {
      const { runConfigCommand } = await import("./cli/config_command.ts");
      const { toolsAndModels, toolsetSettings } = await import("./cli/startup.ts");
      return await runConfigCommand(line.args, {
        ...surroundings,
        toolsets: toolsetSettings(),
        checks: [toolsAndModels],
      });
    }
    case "run":
      return await runCommand(line.command ?? await frontEnd(line.flags, surroundings), line.flags, surroundings);
    default:
      return line satisfies never;
  }
}

async function runCommand(
  command: PlainCommand,
  flags: Flags,
  surroundings: Surroundings,
): Promise<number> {
  switch (command) {
    case "serve":
      return await (await import("./cli/serve.ts")).runServe(flags, surroundings);
    case "chat":
      return await (await import("./cli/chat_command.ts")).runChatCommand(flags, surroundings);
    case "export":
      return await (await import("./cli/export_command.ts")).runExport(flags, surroundings);
    case "import":
      return await (await import("./cli/import_command.ts")).runImport(flags, surroundings);
    case "login":
      return await (await import("./cli/login.ts")).runLogin(flags, surroundings);
    case "toolsets":
      if (flags.accept !== undefined) {
        return await (await import("./cli/accept_command.ts")).runAccept(flags.accept, flags, surroundings);
      }
      return await (await import("./cli/listing.ts")).runListing(command, flags, surroundings);
    case "agents":
    case "models":
      return await (await import("./cli/listing.ts")).runListing(command, flags, surroundings);
    case "doctor":
      return await (await import("./cli/doctor.ts")).runDoctor(flags, surroundings);
    default:
      return command satisfies never;
  }
}

/** What starts when no command is named: what `--frontend` or `[frontend] name` says. */
async function frontEnd(flags: Flags, surroundings: Surroundings): Promise<"serve" | "chat"> {
  const { loadStartConfig } = await import("./cli/startup.ts");
  const name = flags.frontend ?? (await loadStartConfig(flags, surroundings, { scaffold: true })).frontend.name;
  if (name === "web") return "serve";
  if (name === "cli") return "chat";
  throw new Mistake(`There is no front end "${name}": the installed ones are web and cli`);
}

if (import.meta.main) Deno.exit(await main(Deno.args, processSurroundings(manifest.version)));
