/**
 * The arguments of a call, as names and values, always as plain text.
 *
 * @module
 */
import type { VNode } from "preact";
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

/** A long one scrolls in its place, and can be reached to be scrolled. */
function isLong(text: string): boolean {
  return text.length > 600 || text.split("\n").length > 12;
}
