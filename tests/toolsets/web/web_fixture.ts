/**
 * The web toolset before real servers on loopback.
 *
 * @module
 */
import { createEgress, EGRESS, LOOKUP, type Lookup } from "../../../core/egress/mod.ts";
import { Services } from "../../../core/tool/mod.ts";
import { web } from "../../../toolsets/web.ts";
import { callTool } from "../toolset_fixture.ts";

/** Services that stand at one origin unless a test says otherwise. */
export function lookupAt(origin: string, given: Partial<Lookup> = {}): Lookup {
  return {
    search: { kind: "searxng", url: origin, isNamed: true },
    wikipediaUrl: origin,
    weatherUrl: origin,
    geocodingUrl: origin,
    ...given,
  };
}

/** Calls a tool of `web`; loopback is open to it unless `allow` says otherwise. */
export async function callWeb(
  name: string,
  input: unknown,
  { allow = ["127.0.0.1"], lookup, signal }: {
    readonly allow?: readonly string[];
    readonly lookup?: Lookup;
    readonly signal?: AbortSignal;
  } = {},
): Promise<unknown> {
  const services = new Services()
    .provide(EGRESS, () => createEgress({ allow }))
    .provide(LOOKUP, () => lookup ?? lookupAt("http://127.0.0.1:1"));
  return await callTool(web, name, input, { services, ...signal ? { call: { signal } } : {} });
}

/** The same for an answer that is text. */
export async function textOf(...call: Parameters<typeof callWeb>): Promise<string> {
  const output = await callWeb(...call);
  if (typeof output === "string") return output;
  throw new TypeError(`the answer is no text: ${JSON.stringify(output)}`);
}

/** What stands inside of the fence, and what before and after it. */
export function insideOf(text: string): { readonly before: string; readonly content: string; readonly after: string } {
  const found = /^([^]*?)\n?=== ([0-9a-f]{16}) begins ===\n([^]*)\n=== \2 ends ===\n?([^]*)$/.exec(text);
  if (!found) throw new TypeError(`there is no fence: ${text.slice(0, 300)}`);
  return { before: found[1] ?? "", content: found[3] ?? "", after: found[4] ?? "" };
}
