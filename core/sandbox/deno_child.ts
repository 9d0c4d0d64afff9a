/**
 * How a child of Deno is started that may do no more than it was granted (FACTS A3c).
 *
 * What is untrusted is never the entry: a static import of an entry is read with our rights, one below a computed import is
 * checked (FACTS A3b).
 *
 * @module
 */
import { fileURLToPath } from "node:url";

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
  /** Paths below what it may read and write that it may not: links that lead out. */
  readonly denied?: readonly string[];
  readonly memoryMb: number;
  /** Parts what runs persist from each other: a name of letters, digits and `-`. */
  readonly origin: string;
  readonly importMap?: string;
  /** Modules that were fetched when it was installed may be loaded from here. */
  readonly cache?: string;
}

/** Permissions as flags. Commas in a path would part it into two, so such a path is left out. */
export function permissionFlags(permissions: Permissions, verb: "allow" | "deny" = "allow"): readonly string[] {
  return Object.entries(permissions).flatMap(([name, list]) => {
    const usable = (list ?? []).filter((value: string) => value !== "" && !value.includes(","));
    return usable.length > 0 ? [`--${verb}-${name}=${usable.join(",")}`] : [];
  });
}

/** The arguments for `Deno.execPath()`. */
export function denoArguments(child: DenoChild): readonly string[] {
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--no-remote",
    "--cached-only",
    ...child.cache === undefined ? ["--no-npm"] : [],
    `--v8-flags=--max-old-space-size=${child.memoryMb}`,
    `--location=https://${child.origin}.invalid/`,
    ...child.importMap === undefined ? [] : [`--import-map=${child.importMap}`],
    ...permissionFlags(child.permissions),
    ...permissionFlags({ read: child.denied, write: child.denied }, "deny"),
    fileURLToPath(child.entry),
    ...child.args,
  ];
}

/** The environment of such a child: no variable of ours but those it was granted. */
export function denoEnvironment(
  child: Pick<DenoChild, "permissions" | "cache">,
  env: (name: string) => string | undefined,
): Readonly<Record<string, string>> {
  const granted = (child.permissions.env ?? []).flatMap((name) => {
    const value = env(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(granted),
    // An empty cache for what may load nothing; a home that is none.
    DENO_DIR: child.cache ?? "/nonexistent",
    HOME: "/nonexistent",
    NO_COLOR: "1",
    DENO_NO_UPDATE_CHECK: "1",
  };
}
