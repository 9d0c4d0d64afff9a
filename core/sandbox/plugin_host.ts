/**
 * A third party's toolset behind its process: started when it is first needed, started again when it failed, ended when
 * nobody has used it for a while.
 *
 * Invariants (tests/core/sandbox/plugin_host_test.ts)
 * 1. A failure of the process fails the calls it had and no other; the next one starts it again.
 * 2. One that fails again and again is left alone for longer and longer; a call meanwhile is told for how long.
 * 3. Nothing it answers reaches a caller that does not fit the schemas of `plugin_wire.ts`.
 *
 * @module
 */
import { pathToFileURL } from "node:url";
import type { ToolOutput } from "../tool/mod.ts";
import { type Permissions, startDeno } from "./deno_child.ts";
import { PluginFailed, PluginProcess } from "./plugin_process.ts";
import {
  callOutcome,
  type CallRequest,
  type DescribeRequest,
  type PluginDescription,
  pluginDescription,
} from "./plugin_wire.ts";
import { runnerFiles } from "./runner_bundle.ts";
import { unpacked } from "./runner/packed.ts";

/** How long a toolset has to be loaded and to describe itself, in milliseconds. */
const DESCRIBE_MS = 20_000;

/** How long it is left alone after its first, second … failure in a row, in milliseconds. */
const BACKOFF_MS = [0, 0, 1000, 5000, 30_000, 120_000];

/** Unused for so long, its process is ended, in milliseconds. */
const IDLE_MS = 5 * 60_000;

/** How a toolset's process is started. */
export interface PluginLaunch {
  /** As the config has it. */
  readonly name: string;
  /** Address of its module. */
  readonly entry: string;
  /** Granted by the person. */
  readonly permissions: Permissions;
  /** Its own modules: it reads them, and nothing else that was not granted. */
  readonly modules: readonly string[];
  /** Throws when it is not to be run as it is now. */
  readonly check?: () => Promise<void>;
  /** `host:port` that its modules came from. */
  readonly hosts: readonly string[];
  readonly memoryMb: number;
  /** The cache its modules are in, its own. */
  readonly cache: string;
}

/** What the house gives every such toolset. */
export interface PluginHouse {
  /** Where the runner is kept. */
  readonly folder: string;
  readonly env: (name: string) => string | undefined;
  /** Milliseconds on a clock that only goes forward; tests replace it. */
  readonly clock?: () => number;
}

/** What a call gave: an answer, or a sentence about its arguments. */
export type CallOutcome = { readonly output: ToolOutput } | { readonly problem: string };

/** One toolset. */
export class PluginHost {
  readonly #launch: PluginLaunch;
  readonly #house: PluginHouse;
  #process: Promise<PluginProcess> | undefined;
  #failures = 0;
  #notBefore = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(launch: PluginLaunch, house: PluginHouse) {
    this.#launch = launch;
    this.#house = house;
  }

  /** What the toolset says of itself. Throws `PluginFailed` and `PluginError`. */
  async describe(request: DescribeRequest): Promise<PluginDescription> {
    const said = await this.#ask("describe", request, AbortSignal.timeout(DESCRIBE_MS));
    const parsed = pluginDescription.safeParse(said);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new PluginFailed(`Its description cannot be read: ${issue?.path.join(".")} ${issue?.message}`);
  }

  /** Runs a tool. Throws `PluginFailed`, `PluginError`, and the signal's reason when that aborts. */
  async call(request: CallRequest, signal: AbortSignal): Promise<CallOutcome> {
    const said = callOutcome.safeParse(await this.#ask("call", request, signal));
    if (said.success && "problem" in said.data) return said.data;
    const output = said.success && "output" in said.data ? unpacked(said.data.output) : undefined;
    if (output === undefined) throw new PluginFailed("It answered with something that is no answer of a tool");
    return { output: output as ToolOutput };
  }

  /** Ends its process, if one runs. A later call starts another. */
  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    const process = await this.#process?.catch(() => undefined);
    this.#process = undefined;
    process?.end("Malama has ended it");
    await process?.ended;
  }

  async #ask(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    clearTimeout(this.#idle);
    const process = await this.#running();
    try {
      const result = await process.request(method, params, signal);
      this.#failures = 0;
      return result;
    } finally {
      if (process.waiting === 0) this.#restLater();
    }
  }

  #restLater(): void {
    clearTimeout(this.#idle);
    const idle = setTimeout(() => this.stop(), IDLE_MS);
    Deno.unrefTimer(idle);
    this.#idle = idle;
  }

  #running(): Promise<PluginProcess> {
    if (this.#process) return this.#process;
    const wait = this.#notBefore - this.#now();
    if (wait > 0) {
      const seconds = Math.ceil(wait / 1000);
      throw new PluginFailed(
        `It failed ${this.#failures} times in a row: it is started again in ${seconds} seconds, not before`,
      );
    }
    const starting = this.#start();
    this.#process = starting;
    starting.then((process) => process.ended.then(() => this.#over(starting)), () => this.#over(starting));
    return starting;
  }

  /** Its process is over without having been told to. */
  #over(process: Promise<PluginProcess>): void {
    if (this.#process !== process) return;
    this.#process = undefined;
    this.#failures++;
    this.#notBefore = this.#now() + (BACKOFF_MS[Math.min(this.#failures, BACKOFF_MS.length - 1)] ?? 0);
  }

  async #start(): Promise<PluginProcess> {
    const { name, entry, permissions, modules, hosts, memoryMb, cache } = this.#launch;
    await this.#launch.check?.();
    const { runner, importMap } = await runnerFiles(this.#house.folder);
    const group = await startDeno({
      entry: pathToFileURL(runner),
      args: [entry],
      permissions: { ...permissions, read: [...permissions.read ?? [], ...modules] },
      memoryMb,
      origin: `toolset-${name.toLowerCase().replaceAll("_", "-")}`,
      importMap,
      cache,
      env: this.#house.env,
      remote: { hosts },
    });
    return new PluginProcess(group);
  }

  #now(): number {
    return (this.#house.clock ?? (() => performance.now()))();
  }
}
