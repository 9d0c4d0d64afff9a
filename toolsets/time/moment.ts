/**
 * Dates and times as people and models write them, placed in a time zone.
 *
 * @module
 */
import { offsetOf } from "./wording.ts";

/** A moment, with notes on what was assumed; or the sentence that says how to write one. */
export type ReadMoment =
  | { readonly moment: Temporal.ZonedDateTime; readonly notes: readonly string[] }
  | { readonly problem: string };

/**
 * Reads a date and time in a zone. A time alone is today's there; one with an offset of its own is that very moment. Where a
 * clock is put forward, a time that does not exist is moved on by as much; where it is put back, of a time that happens twice
 * the first is taken. Both are said in the notes.
 */
export function readMoment(text: string, zone: string, now: Date): ReadMoment {
  const trimmed = text.trim().replace(/^(\d{4}-\d{2}-\d{2})\s+/, "$1T").replace(/^(\d):/, "0$1:");
  if (/T.*(?:Z|[+-]\d{2}:?\d{2})(?:\[.*\])?$/i.test(trimmed)) return readInstant(text, trimmed, zone);
  const local = readLocal(trimmed, zone, now);
  if (local === undefined) return { problem: howToWrite(text) };
  return place(local, zone);
}

function readInstant(text: string, trimmed: string, zone: string): ReadMoment {
  const instant = attempt(() => Temporal.Instant.from(trimmed.replace(/\[.*\]$/, "")));
  if (instant === undefined) return { problem: howToWrite(text) };
  return {
    moment: instant.toZonedDateTimeISO(zone),
    notes: [`Note: the time came with its own offset, so it was read as that moment, and ${zone} only to show it.`],
  };
}

function readLocal(text: string, zone: string, now: Date): Temporal.PlainDateTime | undefined {
  if (/^\d{2}:\d{2}(?::\d{2})?$/.test(text)) {
    const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
    const time = attempt(() => Temporal.PlainTime.from(text));
    return time === undefined ? undefined : today.toPlainDateTime(time);
  }
  if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}|$)/i.test(text)) return undefined;
  return attempt(() => Temporal.PlainDateTime.from(text, { overflow: "reject" }));
}

/** Places a local time in its zone, and says what the zone's clock does there. */
function place(local: Temporal.PlainDateTime, zone: string): ReadMoment {
  const earlier = local.toZonedDateTime(zone, { disambiguation: "earlier" });
  const later = local.toZonedDateTime(zone, { disambiguation: "later" });
  if (earlier.equals(later)) return { moment: earlier, notes: [] };
  const shown = local.toPlainTime().toString({ smallestUnit: "minute" });
  const day = local.toPlainDate().toString();
  if (!earlier.toPlainDateTime().equals(local)) {
    const used = later.toPlainTime().toString({ smallestUnit: "minute" });
    return {
      moment: later,
      notes: [
        `Note: ${shown} does not exist on ${day} in ${zone}, because clocks are put forward there. ${used} was used instead.`,
      ],
    };
  }
  return {
    moment: earlier,
    notes: [
      `Note: ${shown} happens twice on ${day} in ${zone}, because clocks are put back: first at ${
        offsetOf(earlier)
      }, then at ` +
      `${offsetOf(later)}. The first was used; for the second, write ${local.toString()}${later.offset}.`,
    ],
  };
}

function howToWrite(text: string): string {
  return `"${text}" is not a date and time. Write it like 2026-03-29T14:30, or a time today like 14:30`;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
