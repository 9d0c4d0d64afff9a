/**
 * The bar of what a request is made of, the part that came from the cache ruled above it.
 *
 * @module
 */
import type { VNode } from "preact";
import type { CallUsage } from "../../core/log/entry.ts";
import { count, size } from "../words.ts";
import type { RequestPart } from "./request_parts.ts";

/** How long the bar is, in its own units, and the gap between its parts. */
const LENGTH = 392;
const GAP = 2;

export function MadeOf(
  { parts, usage }: { parts: readonly RequestPart[]; usage: CallUsage | undefined },
): VNode | null {
  const whole = parts.reduce((sum, { length }) => sum + length, 0);
  if (whole === 0) return null;
  const read = usage && usage.input_tokens > 0 ? usage.input_tokens : null;
  const cached = read === null ? 0 : Math.min(1, (usage?.cached_tokens ?? 0) / read);
  const amount = ({ length }: RequestPart) => read === null ? size(length) : count(read * length / whole);
  const segments = placed(parts, whole);
  const said = read === null
    ? "What the request is made of"
    : cached > 0
    ? `Of ${count(read)} tokens, the first ${count(usage?.cached_tokens ?? 0)} came from the cache`
    : `Of ${count(read)} tokens, none came from the cache`;
  return (
    <figure class="made-of">
      <figcaption>What the request is made of</figcaption>
      <svg
        class="chart"
        viewBox={`0 0 ${LENGTH} 26`}
        height="26"
        preserveAspectRatio="none"
        role="img"
        aria-label={said}
      >
        <Hatch />
        {cached > 0 && <path class="base thin" d={rule(LENGTH * cached)} />}
        {segments.map(({ x, width, name }, index) => (
          <rect key={name} class={`seg s${index + 1}`} x={x} y="12" width={width} height="14" />
        ))}
      </svg>
      <dl class="parts">
        {parts.map((part, index) => (
          <div key={part.name}>
            <dt>
              <svg width="8" height="8" aria-hidden="true">
                <rect class={`seg s${index + 1}`} width="8" height="8" />
              </svg>
              {part.name}
            </dt>
            <dd>{amount(part)}</dd>
          </div>
        ))}
      </dl>
      <p class="help footnote">
        {cached > 0 && "The line above the bar is the part the model had kept from an earlier call. "}
        {read === null ? "By length: no tokens were reported." : "Tokens by length: a provider counts the whole alone."}
      </p>
    </figure>
  );
}

/** The hatching of the last part; once a page is enough, twice does no harm. */
function Hatch(): VNode {
  return (
    <defs>
      <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M0 0v5" class="hatch-line" />
      </pattern>
    </defs>
  );
}

function placed(parts: readonly RequestPart[], whole: number) {
  let x = 0;
  return parts.map(({ name, length }) => {
    const width = Math.max(1, LENGTH * length / whole - GAP);
    const at = { name, x: round(x), width: round(width) };
    x += LENGTH * length / whole;
    return at;
  });
}

function rule(width: number): string {
  const end = round(Math.max(2, width) - .5);
  return `M.5 4v6M.5 7H${end}M${end} 4v6`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
