/**
 * The figures and tables of the usage page. What is not known is said, never counted as nothing.
 *
 * @module
 */
import type { VNode } from "preact";
import type { UsageRow } from "../../core/assistant.ts";
import { addRows } from "../../core/turn/mod.ts";
import { UsageChart } from "./usage_chart.tsx";
import { count, duration, modelName, money, MONTHS, some } from "../words.ts";

/** The sums over everything, ruled like an instrument. */
export function Figures({ rows }: { rows: readonly UsageRow[] }): VNode {
  const sum = (of: (row: UsageRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const read = sum((row) => row.usage.input_tokens);
  const cached = sum((row) => row.usage.cached_tokens);
  const figures: readonly (readonly [string, string, string?])[] = [
    ["Turns", count(sum((row) => row.turns)), some(sum((row) => row.usage.calls), "call")],
    ["Tokens read", count(read), cached > 0 ? `${Math.round(100 * cached / read)} % from the cache` : undefined],
    ["Tokens written", count(sum((row) => row.usage.output_tokens))],
    ["Model time", duration(1000 * sum((row) => row.usage.model_seconds))],
    ["Estimated cost", costOf(rows)],
  ];
  return (
    <dl class="figures">
      {figures.map(([label, value, more]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value} {more && <small>{more}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export interface UsageTableProps {
  readonly name: string;
  readonly label: string;
  readonly rows: readonly UsageRow[];
  readonly kind: "day" | "model" | "agent";
  /** Drawn above the table: one place for each key, also where nothing was used. */
  readonly chart?: readonly string[];
}

export function UsageTable({ name, label, rows, kind, chart }: UsageTableProps): VNode {
  const silent = rows.reduce((total, { usage }) => total + usage.calls - usage.reported_calls, 0);
  return (
    <section aria-labelledby={`by-${kind}`}>
      <h2 id={`by-${kind}`}>{name}</h2>
      {chart && chart.length > 1 && <UsageChart keys={chart} rows={rows} titleId={`by-${kind}`} />}
      <div class="wide" role="region" aria-label={`Usage ${name.toLowerCase()}`} tabIndex={0}>
        <table class="sheet-table">
          <thead>
            <tr>
              <th scope="col">{label}</th>
              {["Turns", "Calls", "Read", "From cache", "Written", "Time", "Cost"].map((head) => (
                <th key={head} scope="col" class="num">{head}</th>
              ))}
            </tr>
          </thead>
          <tbody>{rows.map((row) => <TableRow key={row.key} row={row} kind={kind} />)}</tbody>
          {rows.length > 1 && (
            <tfoot>
              <TableRow row={addRows("Together", rows)} kind="agent" />
            </tfoot>
          )}
        </table>
      </div>
      {kind === "model" && silent > 0 && (
        <p class="help footnote">
          {some(silent, "call")} did not report tokens: counted as calls and left out of the sums.
        </p>
      )}
    </section>
  );
}

function TableRow({ row, kind }: { row: UsageRow; kind: UsageTableProps["kind"] }): VNode {
  const { usage } = row;
  const known = usage.reported_calls > 0;
  const tokens = (value: number) => known ? count(value) : "not reported";
  return (
    <tr>
      <th scope="row">{kind === "day" ? dayName(row.key) : kind === "model" ? modelName(row.key) : row.key}</th>
      <td class="num">{count(row.turns)}</td>
      <td class="num">{count(usage.calls)}</td>
      <td class="num">{tokens(usage.input_tokens)}</td>
      <td class="num">{tokens(usage.cached_tokens)}</td>
      <td class="num">{tokens(usage.output_tokens)}</td>
      <td class="num">{duration(1000 * usage.model_seconds)}</td>
      <td class="num">{costOf([row])}</td>
    </tr>
  );
}

function costOf(rows: readonly UsageRow[]): string {
  const sum = rows.reduce((total, { known_cost }) => total + known_cost, 0);
  if (rows.some(({ unpriced }) => unpriced > 0)) return sum > 0 ? `${money(sum)} and more` : "not known";
  return sum > 0 ? money(sum) : "none";
}

/** `9 March 2026` of `2026-03-09`, `March 2026` of `2026-03`. */
export function dayName(key: string): string {
  const [year, month, day] = key.split("-").map(Number);
  if (!month) return key;
  return `${day ? `${day} ` : ""}${MONTHS[month - 1]} ${year}`;
}
