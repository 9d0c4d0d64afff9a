/**
 * What a single call is given besides the services of its run: itself.
 *
 * @module
 */
import type { Closing } from "../log/mod.ts";
import { CALL, type FindService, type RunningCall, type ServiceKey } from "../tool/mod.ts";

export class CallScope implements RunningCall {
  readonly #outer: FindService;
  readonly #closings: Closing[] = [];
  readonly entry: number;
  readonly tool: string;
  readonly arguments: unknown;
  #isOver = false;

  constructor(outer: FindService, call: Pick<RunningCall, "entry" | "tool" | "arguments">) {
    this.#outer = outer;
    this.entry = call.entry;
    this.tool = call.tool;
    this.arguments = call.arguments;
  }

  /** @inheritdoc */
  endWith(closing: Closing): boolean {
    if (!this.#isOver) this.#closings.push(closing);
    return !this.#isOver;
  }

  /** Ends the scope and gives what is to be closed with the result. */
  end(): readonly Closing[] {
    this.#isOver = true;
    return this.#closings;
  }

  /** Looks up the call itself, and all else in the run. */
  readonly service: FindService = <T>(key: ServiceKey<T>): T =>
    // Under this key the type is this one's.
    key.name === CALL.name ? this as RunningCall as T : this.#outer(key);
}
