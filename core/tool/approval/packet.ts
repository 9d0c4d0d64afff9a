/**
 * What a reviewer is shown of a call: the tool, the count, the request and the arguments, the last two fenced as data that
 * nobody vouches for (K-201).
 *
 * Invariants (tests/core/tool/approval/packet_test.ts)
 * 1. A value with the fence's opener or closer in it makes no packet, in whatever case, width or with bracket left open.
 * 2. A value over 2,000 characters makes no packet: what is cut off could be what matters.
 *
 * @module
 */

/** The most characters of one value. */
export const LONGEST_VALUE = 2_000;

const OPENER = "<untrusted_data";
const CLOSER = "</untrusted_data";

/** What a packet is made of. */
export interface PacketFacts {
  readonly tool: string;
  readonly toolset: string;
  /** How many reviews of this turn were used before this one, and how many there are. */
  readonly used: number;
  readonly most: number;
  /** What the person asked of this turn. */
  readonly request: string;
  readonly arguments: unknown;
}

/** The text, or why there can be none, to be told to the person. */
export type Packet = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** Makes the packet of a call. */
export function makePacket(facts: PacketFacts): Packet {
  const given = JSON.stringify(facts.arguments, null, 1) ?? "null";
  const fault = faultOf("request", facts.request) ?? faultOf("arguments", given) ??
    faultOf("tool's name", `${facts.toolset}.${facts.tool}`);
  if (fault !== null) return { ok: false, problem: fault };
  const text = [
    `Tool: ${facts.tool}`,
    `Toolset: ${facts.toolset}`,
    `Auto-approvals used in this turn: ${facts.used} of ${facts.most}`,
    "",
    "What the person asked for:",
    fenced("request", facts.request),
    "",
    "The arguments of the call:",
    fenced("arguments", given),
  ].join("\n");
  return { ok: true, text };
}

function fenced(name: string, value: string): string {
  return `${OPENER} name="${name}">\n${value}\n${CLOSER}>`;
}

function faultOf(what: string, value: string): string | null {
  const length = [...value].length;
  if (length > LONGEST_VALUE) {
    return `the ${what} cannot be shown to a reviewer whole: ${length} characters, and ${LONGEST_VALUE} are the most`;
  }
  // NFKC makes the wide and small forms of a bracket plain; the invisible letters that would hide one go.
  const folded = value.normalize("NFKC").replaceAll(/\p{Cf}/gu, "").toLowerCase();
  return folded.includes(OPENER) || folded.includes(CLOSER)
    ? `the ${what} cannot be shown to a reviewer: the marks that fence them off are written in it`
    : null;
}
