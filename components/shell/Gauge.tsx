/**
 * How much of the model's context window the last call read, with a tick at each quarter.
 *
 * @module
 */
import type { VNode } from "preact";
import { count } from "../words.ts";

/** How long the line of the gauge is, in its own units. */
const LENGTH = 64;

export function Gauge({ used, window }: { used: number; window: number }): VNode {
  const share = Math.min(1, used / window);
  const percent = Math.round(100 * share);
  const said = `${percent} percent of the context window is used, ${count(used)} of ${count(window)} tokens`;
  return (
    <span class="reading wide-only" title={`${count(used)} of ${count(window)} tokens`}>
      <span aria-hidden="true">Context</span>
      <svg class="gauge" viewBox="0 0 64 12" role="img" aria-label={said}>
        <path class="track" d="M0 9.5h64" stroke-width="1" />
        <path class="tick" d="M.5 5v4M16.25 7v2M32 5v4M47.75 7v2M63.5 5v4" />
        <path class="value" d={`M0 9.5h${(LENGTH * share).toFixed(1)}`} stroke-width="3" />
      </svg>
      <b aria-hidden="true">{percent} %</b>
    </span>
  );
}
