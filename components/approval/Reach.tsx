/**
 * What code may reach, kind by kind: nothing is said by leaving it out.
 *
 * @module
 */
import type { VNode } from "preact";
import { reachWords } from "./words.ts";

export function Reach({ permissions }: { permissions: Parameters<typeof reachWords>[0] }): VNode {
  return (
    <dl class="grants" aria-label="What its code may reach">
      {reachWords(permissions).map(([name, what]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{what.length === 0 ? "nothing" : what.map((one) => <code key={one}>{one}</code>)}</dd>
        </div>
      ))}
    </dl>
  );
}
