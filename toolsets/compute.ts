/**
 * Arithmetic without running code, and code and commands in the sandbox (K section 17.4, K-330).
 *
 * @module
 */
import { resolve } from "node:path";
import { defineToolset, tool, z } from "malama";
import {
  CODE_LIMITS,
  COMMAND_LIMITS,
  LONGEST_COMMAND_SECONDS,
  NotStarted,
  SANDBOX,
  TooManyFiles,
} from "../core/sandbox/mod.ts";
import { BadExpression, calculate } from "./compute/calculator.ts";
import { grant, listed } from "./compute/grants.ts";
import { pythonProgram } from "./compute/python.ts";
import { resultText } from "./compute/words.ts";

/** Limits of Python code (K section 17.4). */
const PYTHON_LIMITS = { seconds: 10, memoryMb: 512 };

/** What a call may take longer than the child's own limit, in seconds: to start it and to end it. */
const MARGIN_SECONDS = 10;

const timeout = (most: number, usual: number) =>
  z.number().default(usual).transform((value) => Math.min(most, Math.max(1, value || usual)))
    .describe(`Seconds after which it is killed, up to ${most}`);

const names = (what: string) => z.array(z.string().min(1)).optional().describe(what);

/** `compute`: works out expressions, runs code and commands. */
export const compute = defineToolset({
  name: "compute",
  description: "Arithmetic worked out exactly, code in a sandbox, and commands on this machine",
  guidance: "Use `calculate` for arithmetic instead of working it out yourself.",
  settings: {
    command_env_passthrough: z.string().default("").describe(
      "Environment variables a command may see, separated by commas",
    ),
    code_net: z.string().default("").describe("Hosts model-written code may ask to reach, separated by commas"),
    code_read: z.string().default("").describe("Folders model-written code may ask to read, separated by commas"),
    code_write: z.string().default("").describe("Folders model-written code may ask to write, separated by commas"),
  },
  tools: ({ settings }) => {
    const python = pythonProgram();
    return [
      tool({
        name: "calculate",
        description:
          "Works out an arithmetic expression. Whole numbers and decimals are exact, of any length. Understands " +
          "+ - * / % (remainder) ^ or **, brackets, ! (factorial), pi, e, tau, and the functions sqrt, cbrt, abs, round(x, " +
          "places), floor, ceil, trunc, min, max, ln, log (base 10), log(x, base), log2, exp, sin, cos, tan, asin, acos, atan " +
          "(radians; rad(degrees) converts), gcd, lcm, mod. It runs no code. For 15 percent of 80 write 80 * 15 / 100.",
        input: z.object({
          expression: z.string().describe('The expression alone, such as "(1299 - 150) * 1.19"'),
        }),
        run({ expression }) {
          try {
            const { text, isExact } = calculate(expression);
            return `${expression.trim()} ${isExact ? "=" : "≈"} ${text}`;
          } catch (error) {
            if (!(error instanceof BadExpression)) throw error;
            return `That could not be worked out. At character ${error.position}: ${error.message}`;
          }
        },
      }),

      tool({
        name: "execute_typescript",
        description:
          "Runs TypeScript in a process of its own, without files, network, environment or programs, and gives what it " +
          "prints; a default export is printed too. It has the web's functions (JSON, Intl, crypto, URL, Temporal), no " +
          "packages, and nothing is kept between runs. Ask for a host or a folder only when it is needed; it is granted " +
          "only where the person allowed it.",
        input: z.object({
          code: z.string().min(1, "write some code").describe("A module; print with console.log"),
          net: names('Hosts it has to reach, such as "api.example.org"'),
          read: names("Folders it has to read, absolute"),
          write: names("Folders it has to write, absolute"),
          timeout: timeout(120, CODE_LIMITS.seconds),
        }),
        timeoutSeconds: 120 + MARGIN_SECONDS,
        async run({ code, timeout: limit, ...asked }, { signal, service }) {
          const sandbox = service(SANDBOX);
          const permissions = await grant(asked, settings);
          if ("problem" in permissions) return permissions.problem;
          const granted = Object.entries(permissions);
          const network = granted.length === 0
            ? "no files, network, environment or programs"
            : `granted: ${granted.map(([kind, list]) => `${kind} ${list.join(", ")}`).join("; ")}`;
          try {
            const result = await sandbox.runTypeScript({ code, permissions, limits: { seconds: limit }, signal });
            return resultText(result, { network });
          } catch (error) {
            if (error instanceof TooManyFiles) return `Nothing was run. ${error.message}.`;
            throw error;
          }
        },
      }),

      ...python === null ? [] : [pythonTool(python)],

      tool({
        name: "run_command",
        description:
          'Runs a program with its arguments, such as ["git", "status"], and gives its exit code and what it printed. No ' +
          'shell reads it: for pipes or wildcards run ["sh", "-c", "…"]. What it leaves running is ended with it.',
        input: z.object({
          command: z.array(z.string()).min(1, "name a program").describe("The program, then each argument by itself"),
          cwd: z.string().optional().describe(
            "The folder to run it in, relative to the home folder or absolute; the home folder when left out",
          ),
          timeout: timeout(LONGEST_COMMAND_SECONDS, COMMAND_LIMITS.seconds),
        }),
        timeoutSeconds: LONGEST_COMMAND_SECONDS + MARGIN_SECONDS,
        concurrent: false,
        async run({ command, cwd, timeout: limit }, { signal, service }) {
          const sandbox = service(SANDBOX);
          try {
            const result = await sandbox.runCommand({
              command,
              cwd: workingFolder(cwd),
              passThrough: listed(settings.command_env_passthrough),
              limits: { seconds: limit },
              signal,
            });
            return resultText(result, { network: "files and network as the person has them" });
          } catch (error) {
            if (error instanceof NotStarted) return `Nothing was run. ${error.message}`;
            throw error;
          }
        },
      }),
    ];
  },
});

/** The folder of a command: from the home folder where it is relative. */
function workingFolder(path = "~"): string {
  const home = Deno.env.get("HOME") ?? "/";
  return resolve(home, path.replace(/^~(?=\/|$)/, home));
}

function pythonTool(python: string) {
  return tool({
    name: "execute_python",
    description:
      `Runs Python code and gives what it prints. It runs as you, in an almost empty environment, for up to ` +
      `${PYTHON_LIMITS.seconds} seconds; nothing is kept between runs.`,
    input: z.object({ code: z.string().min(1, "write some code").describe("Print what you want to see") }),
    timeoutSeconds: PYTHON_LIMITS.seconds + MARGIN_SECONDS,
    concurrent: false,
    async run({ code }, { signal, service }) {
      const command = [python, "-I", "-c", code];
      const result = await service(SANDBOX).runCommand({ command, limits: PYTHON_LIMITS, signal });
      return resultText(result, { network: "files and network as the person has them" });
    },
  });
}
