/**
 * What a third party's toolset wants, what the person granted, and what is missing between the two.
 *
 * Invariants (tests/core/sandbox/grants_test.ts)
 * 1. What is not granted is not given: wanting is a request, never a grant.
 * 2. A granted path is where its links lead when it is granted, relative to the folder of the config file. What a link that
 *    leads nowhere would come to lead to is nobody's to grant.
 * 3. The table of what is missing is TOML that can be pasted as it is, whatever names a stranger put into its wishes.
 * 4. A value that the runtime's flags would read as several, or as everything, is refused and named.
 *
 * @module
 */
import { basename, dirname, join, resolve } from "node:path";
import { joinSettingName } from "../config/mod.ts";
import { PERMISSION_KINDS, type PermissionKind, type ToolsetPermissions } from "../tool/mod.ts";
import type { Permissions } from "./deno_child.ts";

/** A grant that cannot be given. */
export interface RefusedGrant {
  readonly kind: PermissionKind;
  readonly value: string;
  /** Why, and what would be right. */
  readonly reason: string;
}

/** What becomes of the person's grants. */
export interface Grants {
  /** For the runtime: paths absolute and without links. */
  readonly permissions: Permissions;
  readonly refused: readonly RefusedGrant[];
}

/** Makes the person's grants ready for the runtime; relative paths start at `folder`, that of the config file. */
export async function readGrants(granted: ToolsetPermissions, folder: string): Promise<Grants> {
  const permissions: Partial<Record<PermissionKind, readonly string[]>> = {};
  const refused: RefusedGrant[] = [];
  for (const kind of PERMISSION_KINDS) {
    const given: string[] = [];
    for (const value of granted[kind] ?? []) {
      const real = isPath(kind) && value !== "" ? await realPath(resolve(folder, value)) : value;
      // A link may lead to a name that the flags cannot carry: where it leads counts, as well as what was written.
      const reason = refusal(kind, value) ??
        (real === null ? "a link in it leads nowhere: name what is meant itself" : refusal(kind, real));
      if (reason !== null) refused.push({ kind, value, reason });
      else if (real !== null) given.push(real);
    }
    if (given.length > 0) permissions[kind] = [...new Set(given)];
  }
  return { permissions, refused };
}

/** What is wanted and not granted; paths are compared where their links lead. */
export async function missingGrants(
  wanted: ToolsetPermissions,
  granted: Permissions,
  folder: string,
): Promise<ToolsetPermissions> {
  const missing: Partial<Record<PermissionKind, readonly string[]>> = {};
  for (const kind of PERMISSION_KINDS) {
    const absent: string[] = [];
    for (const value of wanted[kind] ?? []) {
      const real = isPath(kind) ? await realPath(resolve(folder, value)) : value;
      const isGranted = real !== null && (granted[kind] ?? []).some((grant) => covers(kind, grant, real));
      if (!isGranted) absent.push(value);
    }
    if (absent.length > 0) missing[kind] = [...new Set(absent)];
  }
  return missing;
}

/**
 * The table to paste for a toolset: what is granted already with what is missing beside it, since a table may be written once
 * only. `null` when nothing is missing.
 */
export function grantTable(name: string, granted: ToolsetPermissions, missing: ToolsetPermissions): string | null {
  if (PERMISSION_KINDS.every((kind) => (missing[kind] ?? []).length === 0)) return null;
  const lines = PERMISSION_KINDS.flatMap((kind) => {
    const values = [...new Set([...granted[kind] ?? [], ...missing[kind] ?? []])];
    return values.length === 0 ? [] : [`${kind} = [${values.map(tomlString).join(", ")}]`];
  });
  return [`[${joinSettingName(["toolsets", name, "permissions"])}]`, ...lines].join("\n");
}

function isPath(kind: PermissionKind): boolean {
  return kind === "read" || kind === "write";
}

/** Why a value cannot be granted, or `null`. */
function refusal(kind: PermissionKind, value: string): string | null {
  if (value === "") return "it is empty, which the runtime would read as everything: name what is granted";
  if (value.includes(",")) return 'the runtime would read "," as the end of it: name something without a comma';
  // deno-lint-ignore no-control-regex -- exactly these cannot be in an argument or a name
  if (/[\u0000-\u001f]/.test(value)) return "it has a control character in it: name it without";
  if (kind === "net" && value === "*") return "every host is not one: name the hosts";
  if (kind === "env" && value.includes("*")) return "a variable is granted by its whole name: write each";
  return null;
}

/** Whether a grant gives what is wanted: a host without a port gives all of its ports, a folder all that is in it. */
function covers(kind: PermissionKind, grant: string, wanted: string): boolean {
  if (grant === wanted) return true;
  if (isPath(kind)) return wanted.startsWith(grant.endsWith("/") ? grant : `${grant}/`);
  return kind === "net" && wanted.startsWith(`${grant}:`) && /^\d+$/.test(wanted.slice(grant.length + 1));
}

/** A path with its links followed; of one that is not there yet, as far as it is. `null` where a link leads nowhere. */
async function realPath(path: string): Promise<string | null> {
  try {
    return await Deno.realPath(path);
  } catch {
    if (await Deno.lstat(path).then(({ isSymlink }) => isSymlink, () => false)) return null;
    const parent = dirname(path);
    if (parent === path) return path;
    const real = await realPath(parent);
    return real === null ? null : join(real, basename(path));
  }
}

/** A basic string of TOML, with nothing in it that a terminal would obey. */
function tomlString(value: string): string {
  // JSON's escapes are TOML's, but for DEL, which TOML wants escaped too.
  return JSON.stringify(value).replaceAll(/[\u007f-\u009f]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}
