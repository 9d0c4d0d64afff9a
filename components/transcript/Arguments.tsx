/**
 * The arguments of a call, as names and values, always as plain text. A long one scrolls in its place, and can be reached to
 * be scrolled.
 *
 * @module
 */
import type { VNode } from "preact";
import { isLong } from "../words.ts";
import { argumentsOf } from "./lines.ts";

export function Arguments({ value }: { value: unknown }): VNode | null {
  const list = argumentsOf(value);
  if (list.length === 0) return null;
  return (
    <div class="part">
      <dl class="args">
        {list.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd tabIndex={isLong(text) ? 0 : undefined}>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
