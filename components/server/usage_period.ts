/**
 * The periods of the usage page, and what its chart has a place for.
 *
 * @module
 */
import type { UsageRow } from "../../core/assistant.ts";
import { addRows, dayBefore } from "../../core/turn/mod.ts";

/** The periods that can be chosen, in days; `null` is all there is. */
export const PERIODS: readonly { readonly days: number | null; readonly name: string }[] = [
  { days: 7, name: "7 days" },
  { days: 30, name: "30 days" },
  { days: 90, name: "90 days" },
  { days: null, name: "All" },
];

/** The period of an address (`?days=7`, `?days=all`); 30 days for anything else. */
export function periodIn(parameters: URLSearchParams): number | null {
  const text = parameters.get("days");
  if (text === "all") return null;
  return PERIODS.some(({ days }) => days !== null && String(days) === text) ? Number(text) : 30;
}

/** As many days as a chart can show side by side; what is longer is shown by month. */
const MOST_DAYS = 92;

/** Days or months, newest first as they come, and every one of them from the oldest to the newest, the empty ones too. */
export function spread(
  days: readonly UsageRow[],
  period: number | null,
  today: string,
): { readonly unit: "day" | "month"; readonly rows: readonly UsageRow[]; readonly keys: readonly string[] } {
  const oldest = period === null ? days.at(-1)?.key ?? today : dayBefore(today, period - 1);
  const length = 1 + Math.round((Date.parse(today) - Date.parse(oldest)) / 86_400_000);
  if (length <= MOST_DAYS) {
    return {
      unit: "day",
      rows: days,
      keys: Array.from({ length }, (_, index) => dayBefore(today, length - 1 - index)),
    };
  }
  const months = Map.groupBy(days, ({ key }) => key.slice(0, 7));
  const rows = [...months].map(([month, own]) => addRows(month, own));
  return { unit: "month", rows, keys: monthsBetween(oldest.slice(0, 7), today.slice(0, 7)) };
}

function monthsBetween(first: string, last: string): readonly string[] {
  const [year = 0, month = 1] = first.split("-").map(Number);
  const [lastYear = 0, lastMonth = 1] = last.split("-").map(Number);
  const length = Math.max(1, (lastYear - year) * 12 + lastMonth - month + 1);
  return Array.from({ length }, (_, index) => new Date(Date.UTC(year, month - 1 + index)).toISOString().slice(0, 7));
}
