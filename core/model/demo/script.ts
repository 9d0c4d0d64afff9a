/**
 * Scripts: a list of turns, one for each model call. As a file it is one turn a line (a line that begins with `//` is
 * skipped), or one JSON list. What plays them is in `scripted.ts`.
 *
 * A turn's keys, all optional, played in this order:
 *
 * | key | plays |
 * | --- | --- |
 * | `wait_ms` | a silence before the first piece |
 * | `thinking`, `text`, `refusal` | streamed text of that kind |
 * | `parts` | before the three above: a list of `{thinking}`, `{text}`, `{refusal}`, `{wait_ms}`, `{tool_calls}` |
 * | `tool_calls` | `[{name, arguments, call?}]`; `malformed: "…"` in place of `arguments` sends text that is not JSON |
 * | `interleaved` | the calls' argument pieces come in turns |
 * | `tps` | words a second for this turn; 0, the default, is at once |
 * | `usage` | the call's numbers, or `null` for none; an estimate when absent |
 * | `stop` | `end`, `tool_calls`, `length` or `refusal`, when it should differ from what was played |
 * | `fail` | ends in an error: `unreachable`, `rate_limited`, `rejected`, `stalled` or `incomplete`, after what was played |
 * | `status` | the HTTP status that error carries; alone, it says which error it is (429 is `rate_limited`) |
 * | `when` | only plays when the newest message holds this text, else the next turn is tried |
 *
 * @module
 */
import { z } from "zod";
import {
  Incomplete,
  type ModelError,
  type ModelErrorKind,
  RateLimited,
  Rejected,
  Stalled,
  Unreachable,
} from "../contract.ts";
import type { Part, Play } from "./playback.ts";

const Calls = z.array(z.strictObject({
  name: z.string(),
  arguments: z.unknown().optional(),
  malformed: z.string().optional(),
  call: z.string().optional(),
}));

const Count = z.int().nonnegative();

const Turn = z.strictObject({
  wait_ms: Count.optional(),
  thinking: z.string().optional(),
  text: z.string().optional(),
  refusal: z.string().optional(),
  parts: z.array(z.strictObject({
    thinking: z.string().optional(),
    text: z.string().optional(),
    refusal: z.string().optional(),
    wait_ms: Count.optional(),
    tool_calls: Calls.optional(),
  })).optional(),
  tool_calls: Calls.optional(),
  interleaved: z.boolean().optional(),
  tps: z.number().nonnegative().optional(),
  usage: z.strictObject({
    input_tokens: Count,
    output_tokens: Count,
    cached_tokens: Count.default(0),
    cache_write_tokens: Count.default(0),
    reasoning_tokens: Count.default(0),
  }).nullable().optional(),
  stop: z.enum(["end", "tool_calls", "length", "refusal"]).optional(),
  fail: z.enum(["unreachable", "rate_limited", "rejected", "stalled", "incomplete"]).optional(),
  status: z.int().optional(),
  when: z.string().optional(),
});

/** One model call of a script; the module's table says what each key plays. */
export type ScriptedTurn = Readonly<z.input<typeof Turn>>;

/** A script that cannot be read; the message says which turn and why. */
export class BadScript extends Error {
  override readonly name = "BadScript";
}

/** Reads a script: a JSON list of turns, or one turn a line. Throws `BadScript`. */
export function readScript(text: string): readonly ScriptedTurn[] {
  const trimmed = text.trim();
  const items: readonly unknown[] = trimmed.startsWith("[")
    ? readJson(trimmed, "The script") as readonly unknown[]
    : trimmed.split("\n").map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("//"))
      .map((line, index) => readJson(line, `Turn ${index + 1}`));
  if (items.length === 0) throw new BadScript('The script is empty: write one turn a line, such as {"text": "Hello"}');
  return items.map((item, index) => {
    const parsed = Turn.safeParse(item);
    if (!parsed.success) throw new BadScript(`Turn ${index + 1} is not one: ${z.prettifyError(parsed.error)}`);
    return parsed.data;
  });
}

function readJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BadScript(`${what} is not JSON: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** A turn as it is played back. */
export function playOf(turn: ScriptedTurn): Play {
  const interleaved = turn.interleaved ?? false;
  const { usage, stop } = turn;
  return {
    parts: [
      ...waitOf(turn),
      ...(turn.parts ?? []).flatMap((part) => [...waitOf(part), ...contentOf(part, interleaved)]),
      ...contentOf(turn, interleaved),
      ...failureOf(turn),
    ],
    ...(usage === undefined ? {} : { usage: usage === null ? null : { ...NO_EXTRAS, ...usage } }),
    ...(stop === undefined ? {} : { stop }),
  };
}

type Piece = NonNullable<ScriptedTurn["parts"]>[number];

const NO_EXTRAS = { cached_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 };

function waitOf({ wait_ms }: Piece): readonly Part[] {
  return wait_ms === undefined ? [] : [{ type: "wait", ms: wait_ms }];
}

function contentOf({ thinking, text, refusal, tool_calls }: Piece, interleaved: boolean): readonly Part[] {
  const parts: Part[] = [];
  if (thinking !== undefined) parts.push({ type: "thinking", text: thinking });
  if (text !== undefined) parts.push({ type: "text", text });
  if (refusal !== undefined) parts.push({ type: "refusal", text: refusal });
  if (tool_calls !== undefined && tool_calls.length > 0) {
    const calls = tool_calls.map((call) => ({ ...call, arguments: call.arguments ?? {} }));
    parts.push({ type: "calls", calls, interleaved });
  }
  return parts;
}

function failureOf(turn: ScriptedTurn): readonly Part[] {
  const kind = turn.fail ?? (turn.status === undefined ? undefined : kindOf(turn.status));
  return kind === undefined ? [] : [{ type: "fail", error: errorOf(kind, turn.status) }];
}

function kindOf(status: number): ModelErrorKind {
  if (status === 429 || status === 503 || status === 529) return "rate_limited";
  return status >= 500 ? "unreachable" : "rejected";
}

function errorOf(kind: ModelErrorKind, status?: number): ModelError {
  const said = status === undefined ? "" : ` (${status})`;
  switch (kind) {
    case "unreachable":
      return new Unreachable(`The scripted model did not answer${said}`, "demo", status);
    case "rate_limited":
      return new RateLimited(`The scripted model is over its limit${said}. Try again later`, "demo", status);
    case "rejected":
      return new Rejected(`The scripted model refused the request${said}`, "demo", status);
    case "stalled":
      return new Stalled(`The scripted model stopped sending${said}. Try again`, "demo", status);
    case "incomplete":
      return new Incomplete(`The scripted model's answer was cut off${said}. Try again`, "demo", status);
    default:
      return kind satisfies never;
  }
}
