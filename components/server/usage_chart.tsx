/**
 * Bars of tokens: what was read anew in ink, what came from the cache hatched, what was written in outline. The same figures
 * are in the table below it, so who does not see it misses nothing.
 *
 * @module
 */
import type { VNode } from "preact";
import type { UsageRow } from "../../core/assistant.ts";
import { MONTHS } from "../words.ts";

const WIDTH = 864;
const LEFT = 48;
/** Room for half of the last label. */
const RIGHT = 18;
const TOP = 16;
const FLOOR = 170;

export interface UsageChartProps {
  /** Days (`2026-03-09`) or months (`2026-03`), oldest first; one place each. */
  readonly keys: readonly string[];
  readonly rows: readonly UsageRow[];
  /** Id of the heading that names it. */
  readonly titleId: string;
}

export function UsageChart({ keys, rows, titleId }: UsageChartProps): VNode {
  const byKey = new Map(rows.map((row) => [row.key, row.usage]));
  const top = ceiling(Math.max(1, ...rows.map(({ usage }) => usage.input_tokens + usage.output_tokens)));
  const height = (tokens: number) => (FLOOR - TOP) * tokens / top;
  const step = (WIDTH - LEFT - RIGHT) / keys.length;
  const width = Math.max(2, Math.min(26, step * .6));
  const middle = TOP + (FLOOR - TOP) / 2;
  return (
    <figure>
      <div class="wide" role="region" aria-label="Chart of tokens" tabIndex={0}>
        <svg
          class="chart scroll"
          viewBox={`0 0 ${WIDTH} 196`}
          role="img"
          aria-labelledby={titleId}
          aria-describedby={`${titleId}-key`}
        >
          <defs>
            <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <path class="hatch-line" d="M0 0v5" />
            </pattern>
          </defs>
          <path class="grid" d={`M${LEFT} ${TOP}H${WIDTH}M${LEFT} ${middle}H${WIDTH}`} />
          {[[top, TOP], [top / 2, middle], [0, FLOOR]].map(([tokens = 0, y = 0]) => (
            <text key={y} x={LEFT - 8} y={y + 4} text-anchor="end">{short(tokens)}</text>
          ))}
          {keys.map((key, index) => {
            const usage = byKey.get(key);
            const center = LEFT + step * (index + .5);
            const x = round(center - width / 2);
            const cached = height(usage?.cached_tokens ?? 0);
            const anew = height(usage?.input_tokens ?? 0) - cached;
            const written = height(usage?.output_tokens ?? 0);
            const bar = (name: string, y: number, tall: number) =>
              tall > 0 && <rect class={name} x={x} y={round(y)} width={round(width)} height={round(tall)} />;
            return (
              <g key={key}>
                {bar("bar", FLOOR - anew, anew)}
                {bar("bar-2", FLOOR - anew - cached, cached)}
                {bar("bar-3", FLOOR - anew - cached - written, written)}
                {hasLabel(index, keys.length) && (
                  <text x={round(center)} y="188" text-anchor="middle">{labelOf(key, index)}</text>
                )}
              </g>
            );
          })}
          <path class="base" d={`M${LEFT} ${FLOOR}H${WIDTH}`} />
        </svg>
      </div>
      <figcaption class="legend" id={`${titleId}-key`}>
        <Key name="seg" label="tokens read anew" />
        <Key name="seg s4" label="read from the cache" />
        <Key name="seg s5" label="written" />
      </figcaption>
    </figure>
  );
}

function Key({ name, label }: { name: string; label: string }): VNode {
  return (
    <span>
      <svg width="12" height="12" aria-hidden="true">
        <rect class={name} x=".5" y=".5" width="11" height="11" />
      </svg>
      {label}
    </span>
  );
}

/** The next number that is easy to halve: 1, 2 or 5 with noughts. */
export function ceiling(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([1, 2, 5, 10].find((step) => most <= step * power) ?? 10);
}

function hasLabel(index: number, length: number): boolean {
  const every = Math.ceil(length / 16);
  return (length - 1 - index) % every === 0;
}

/** The day of the month, with the month where a label would say nothing without it. */
function labelOf(key: string, index: number): string {
  const [year, month = 1, day] = key.split("-").map(Number);
  const name = (MONTHS[month - 1] ?? "").slice(0, 3);
  if (!day) return index === 0 || month === 1 ? `${name} ${year}` : name;
  return `${day} ${name}`;
}

/** `0`, `50k`, `1.5M` */
function short(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens * 10) / 10);
  return tokens < 1e6 ? `${tokens / 1000}k` : `${tokens / 1e6}M`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
