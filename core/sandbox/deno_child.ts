/**
 * Starts a child of Deno that may do no more than it was granted (FACTS A3c).
 *
 * What is untrusted is never the entry: a static import of an entry is read with our rights, one below a computed import is
 * checked (FACTS A3b).
 *
 * @module
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { outwardLinks } from "./links.ts";
import { type Group, startGroup } from "./process_group.ts";

/** What Deno itself holds before any code runs, in megabytes; added to what the code may have. */
const RUNTIME_MB = 96;

/** What a child may do; an absent or empty list is nothing. */
export interface Permissions {
  /** `host` or `host:port`. */
  readonly net?: readonly string[];
  /** Absolute paths. */
  readonly read?: readonly string[];
  /** Absolute paths. */
  readonly write?: readonly string[];
  /** Names of variables. */
  readonly env?: readonly string[];
  /** Names or paths of programs. */
  readonly run?: readonly string[];
}

/** What a child of Deno is started with. */
export interface DenoChild {
  /** The trusted entry. */
  readonly entry: URL;
  readonly args: readonly string[];
  readonly permissions: Permissions;
  readonly memoryMb: number;
  /** Parts what runs persist from each other: a name of letters, digits and `-`. */
  readonly origin: string;
  readonly importMap?: string;
  /** Its own cache, which it works in. */
  readonly cache: string;
  /** Our own environment, of which it sees what it was granted. */
  readonly env: (name: string) => string | undefined;
  /** After this many seconds it is killed; without them it lives until it is. */
  readonly seconds?: number;
  /** Modules of others that were fetched when it was installed may be loaded from its cache; absent, none may. */
  readonly remote?: {
    /** `host:port` that its modules came from. */
    readonly hosts: readonly string[];
  };
}

/**
 * Starts one. A link in what it may read that leads out of that is denied to it, and so for what it may write: a folder it may
 * only read is out of the one that it may write. Throws `TooManyFiles`.
 */
export async function startDeno(child: DenoChild, signal?: AbortSignal): Promise<Group> {
  const { permissions, cache, memoryMb, seconds } = child;
  const denied = {
    read: await outwardLinks(permissions.read ?? []),
    write: await outwardLinks(permissions.write ?? []),
  };
  await makeChildFolder(cache);
  return startGroup(
    {
      command: Deno.execPath(),
      args: denoArguments(child, denied),
      env: denoEnvironment(child),
      cwd: cache,
      stdin: "piped",
    },
    { seconds, memoryMb: memoryMb + RUNTIME_MB },
    signal,
  );
}

/** Permissions as flags. Commas in a path would part it into two, so such a path is left out. */
export function permissionFlags(permissions: Permissions, verb: "allow" | "deny" = "allow"): readonly string[] {
  return Object.entries(permissions).flatMap(([name, list]) => {
    const usable = (list ?? []).filter((value: string) => value !== "" && !value.includes(","));
    return usable.length > 0 ? [`--${verb}-${name}=${usable.join(",")}`] : [];
  });
}

/** The arguments for `Deno.execPath()`. */
function denoArguments(child: DenoChild, denied: Required<Pick<Permissions, "read" | "write">>): readonly string[] {
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--cached-only",
    ...child.remote === undefined ? ["--no-remote", "--no-npm"] : [],
    ...child.remote && child.remote.hosts.length > 0 ? [`--allow-import=${child.remote.hosts.join(",")}`] : [],
    `--v8-flags=--max-old-space-size=${child.memoryMb}`,
    `--location=https://${child.origin}.invalid/`,
    ...child.importMap === undefined ? [] : [`--import-map=${child.importMap}`],
    ...permissionFlags(child.permissions),
    ...permissionFlags({ read: denied.read.map(deniable), write: denied.write.map(deniable) }, "deny"),
    fileURLToPath(child.entry),
    ...child.args,
  ];
}

/** A path that the flags can carry and that holds the one denied: of a name with a comma, the folder it is in. */
function deniable(path: string): string {
  return path.includes(",") ? deniable(dirname(path)) : path;
}

/** The environment of such a child: no variable of ours but those it was granted. */
function denoEnvironment({ permissions, cache, env }: DenoChild): Readonly<Record<string, string>> {
  // Programs are looked up along the path when they are granted by name; to see it is another permission.
  const names = [...permissions.env ?? [], ...(permissions.run ?? []).length > 0 ? ["PATH"] : []];
  const granted = names.flatMap((name) => {
    const value = env(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(granted),
    DENO_DIR: cache,
    // A home that is none.
    HOME: "/nonexistent",
    NO_COLOR: "1",
    DENO_NO_UPDATE_CHECK: "1",
  };
}

/**
 * Makes the cache of such a child. What code stores without any permission would be kept in a folder of a certain name in it,
 * and be there for the next run: a file of that name is in its place, which stops a Worker's stores too.
 */
export async function makeChildFolder(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await Deno.writeTextFile(join(folder, "location_data"), "", { createNew: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    if ((await Deno.stat(join(folder, "location_data"))).isFile) return;
    await Deno.remove(join(folder, "location_data"), { recursive: true });
    await makeChildFolder(folder);
  }
}
