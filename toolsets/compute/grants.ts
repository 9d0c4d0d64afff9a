/**
 * What model-written code may be granted: what it asks for, as far as the person allowed it beforehand in `[compute]`.
 *
 * Invariant: nothing is granted in part. A call that asks for more than is allowed runs nothing and says what would have to
 * be written where (tests/toolsets/compute_test.ts).
 *
 * @module
 */
import { missingGrants, type Permissions, readGrants } from "../../core/sandbox/mod.ts";

/** The settings that say what may be granted: names or paths, separated by commas. */
export interface Allowed {
  readonly code_net: string;
  readonly code_read: string;
  readonly code_write: string;
}

/** What a call asks for. */
export type Asked = Pick<Permissions, "net" | "read" | "write">;

/** The permissions of a run, or a sentence that says what is not allowed. */
export async function grant(asked: Asked, allowed: Allowed): Promise<Permissions | { readonly problem: string }> {
  const folder = Deno.cwd();
  const { permissions, refused: [refused] } = await readGrants(asked, folder);
  if (refused) {
    return { problem: `Nothing was run: "${refused.value}" cannot be granted as ${refused.kind}: ${refused.reason}.` };
  }
  const may = { net: listed(allowed.code_net), read: listed(allowed.code_read), write: listed(allowed.code_write) };
  const granted = await readGrants(may, folder);
  const missing = await missingGrants(permissions, granted.permissions, folder);
  for (const kind of ["net", "read", "write"] as const) {
    const value = missing[kind]?.[0];
    if (value === undefined) continue;
    return {
      problem: `Nothing was run: code is not allowed ${value} here. The person can allow it in config.toml:\n` +
        `[compute]\ncode_${kind} = ${JSON.stringify([...may[kind], value].join(","))}`,
    };
  }
  return permissions;
}

/** The entries of a setting. */
export function listed(text: string): readonly string[] {
  return text.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "");
}
