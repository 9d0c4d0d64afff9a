/**
 * Tool calls put together from the pieces a provider streams.
 *
 * Invariants
 * 1. Every `tool_start` is followed by exactly one `tool_call` of the same id before the stream stops
 *    (tests/core/model/providers/call_assembler_test.ts).
 * 2. A `tool_call` without `malformed` holds arguments the provider marked as complete, or that cannot grow: a proper prefix
 *    of a JSON object is never a JSON object, so one that parses is whole (same file).
 * 3. Arguments nested too deep to be handled are malformed ("arguments nested past what a stack holds", same file), and the
 *    work of a call grows with the length of its arguments, however they are cut.
 * 4. Ids are unique within the stream and against the calls already in the request, and the same request and stream give the
 *    same ids, of characters that every provider takes back (same file).
 *
 * @module
 */
import type { ModelRequest } from "../contract.ts";
import { DEEPEST, JsonScan } from "./json_scan.ts";
import type { Outbox } from "./outbox.ts";

/** How a provider tells the calls of one answer apart: an index or an item's id. */
export type CallKey = string | number;

interface OpenCall {
  /** As the provider gave it; empty when it gave none. */
  readonly wireId: string;
  readonly id: string;
  name: string;
  text: string;
  readonly scan: JsonScan;
  announced: boolean;
  done: boolean;
}

/** Assembles the calls of one stream and puts their events into the outbox. */
export class CallAssembler {
  readonly #out: Outbox;
  readonly #request: ModelRequest;
  readonly #calls = new Map<CallKey, OpenCall>();
  #taken: Set<string> | undefined;
  #count = 0;
  #lastId: string | undefined;

  constructor(out: Outbox, request: ModelRequest) {
    this.#out = out;
    this.#request = request;
  }

  /** How many calls have begun. */
  get count(): number {
    return this.#count;
  }

  /** The id of the call that began last. */
  get lastId(): string | undefined {
    return this.#lastId;
  }

  /** Whether the call at `key` can take no more arguments. */
  isWhole(key: CallKey): boolean {
    const call = this.#calls.get(key);
    return call !== undefined && (call.done || isWhole(call));
  }

  /** The provider's own id of the call at `key`, `undefined` when none has begun there. */
  wireId(key: CallKey): string | undefined {
    return this.#calls.get(key)?.wireId;
  }

  /**
   * A call begins, and one still open at the same key is complete. A name that is still empty may be given by `rename`.
   * Returns the id its events carry.
   */
  begin(key: CallKey, wireId: string, name: string): string {
    this.complete(key);
    const call = {
      wireId,
      id: this.#uniqueId(wireId),
      name,
      text: "",
      scan: new JsonScan(),
      announced: false,
      done: false,
    };
    this.#calls.set(key, call);
    this.#count++;
    this.#lastId = call.id;
    if (name !== "") this.#announce(call);
    return call.id;
  }

  /** The name of a call that began without one. */
  rename(key: CallKey, name: string): void {
    const call = this.#calls.get(key);
    if (call === undefined || call.name !== "" || name === "") return;
    call.name = name;
    this.#announce(call);
  }

  /** More of a call's arguments. What comes after they were complete is dropped. */
  append(key: CallKey, piece: string): void {
    const call = this.#calls.get(key);
    if (call === undefined || call.done) return;
    call.text += piece;
    call.scan.push(piece);
    if (call.announced) this.#out.toolArguments(call.id, piece);
  }

  /** Completes the call only if its arguments are a whole JSON object already. */
  settle(key: CallKey): void {
    const call = this.#calls.get(key);
    if (call !== undefined && !call.done && isWhole(call)) this.#finish(call, false);
  }

  /** The provider marked the arguments as complete; `whole` is their text where it came in one piece at the end. */
  complete(key: CallKey, whole = ""): void {
    const call = this.#calls.get(key);
    if (call === undefined || call.done) return;
    if (call.text === "" && whole !== "") this.append(key, whole);
    this.#finish(call, false);
  }

  /** The answer is over. With `cut`, calls that are not whole become malformed instead of complete. */
  completeAll(cut: boolean): void {
    for (const call of this.#calls.values()) {
      if (!call.done) this.#finish(call, cut);
    }
  }

  #announce(call: OpenCall): void {
    call.announced = true;
    this.#out.push({ type: "tool_start", call: call.id, name: call.name });
    this.#out.toolArguments(call.id, call.text);
  }

  #finish(call: OpenCall, cut: boolean): void {
    if (!call.announced) this.#announce(call);
    call.done = true;
    const { id, name, text } = call;
    const isLost = call.scan.deepest > DEEPEST || (cut && !isWhole(call));
    const parsed = isLost ? undefined : parseArguments(text);
    this.#out.push(
      parsed === undefined
        ? { type: "tool_call", call: id, name, arguments: text, malformed: text }
        : { type: "tool_call", call: id, name, arguments: parsed.value },
    );
  }

  #uniqueId(wanted: string): string {
    this.#taken ??= idsIn(this.#request);
    let id = SAFE_ID.test(wanted) ? wanted : "";
    for (let n = this.#taken.size + 1; id === "" || this.#taken.has(id); n++) id = `call_${n}`;
    this.#taken.add(id);
    return id;
  }
}

/** What every provider takes back, or has a codec that maps it. An id that is not so is replaced by one of ours. */
const SAFE_ID = /^[\w.:|/-]{1,64}$/;

function idsIn(request: ModelRequest): Set<string> {
  const ids = new Set<string>();
  for (const message of request.messages) {
    if (message.role !== "assistant") continue;
    for (const part of message.parts) if (part.type === "tool_call") ids.add(part.call);
  }
  return ids;
}

/** No arguments at all, and `null`, mean an empty object. `undefined` when the text is not JSON. */
function parseArguments(text: string): { readonly value: unknown } | undefined {
  if (text.trim() === "") return { value: {} };
  try {
    return { value: JSON.parse(text) ?? {} };
  } catch {
    return undefined;
  }
}

/** Only what can be whole is parsed: parsing anew at each piece would cost the square of the length. */
function isWhole({ scan, text }: OpenCall): boolean {
  return scan.closed && parseArguments(text) !== undefined;
}
