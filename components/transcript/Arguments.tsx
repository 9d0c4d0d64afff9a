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
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
