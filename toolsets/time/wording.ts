/**
 * How a moment is written for a model: for reading, and exactly.
 *
 * @module
 */

/** Such as `09:30 on Tuesday, 1 December 2026 in Asia/Tokyo (UTC+09:00)`. */
export function describeMoment(moment: Temporal.ZonedDateTime): string {
  const day = moment.toLocaleString("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" })
    .replace(/^(\w+) /, "$1, ");
  const time = moment.toPlainTime().toString({ smallestUnit: moment.second === 0 ? "minute" : "second" });
  return `${time} on ${day} in ${moment.timeZoneId} (${offsetOf(moment)})`;
}

/** Such as `ISO 8601: 2026-12-01T09:30:00+09:00[Asia/Tokyo]`. */
export function exactMoment(moment: Temporal.ZonedDateTime): string {
  return `ISO 8601: ${moment.toString({ smallestUnit: "second" })}`;
}

/** Such as `UTC+05:30`. */
export function offsetOf(moment: Temporal.ZonedDateTime): string {
  return `UTC${moment.offset}`;
}

/** A sentence on when the zone's clock changes next, if ever. */
export function nextChange(moment: Temporal.ZonedDateTime): string {
  const change = moment.getTimeZoneTransition("next");
  if (change === null || change.since(moment, { largestUnit: "years" }).years >= 2) return "Its clock does not change.";
  const before = change.subtract({ nanoseconds: 1 });
  const direction = change.offsetNanoseconds > before.offsetNanoseconds ? "forward" : "back";
  return `Its clock is next put ${direction} on ${change.toPlainDate()}, from ${offsetOf(before)} to ${
    offsetOf(change)
  }.`;
}
