/**
 * The clock, and the same moment in other places.
 *
 * This is the toolset to copy when you write your own. It imports from "malama" as a third party's does; its tools are
 * closures over `context` and open nothing; each describes itself to the model; and what cannot be done is answered with a
 * sentence that says what would be right, because the model reads it and tries again (K-328).
 *
 * @module
 */
import { defineToolset, tool, z } from "malama";
import { findZone } from "./time/zone.ts";
import { readMoment } from "./time/moment.ts";
import { describeMoment, exactMoment, nextChange } from "./time/wording.ts";

const zone = (what: string) => z.string().describe(`${what}: an IANA name, such as Europe/Berlin or UTC, or a city`);

/** `time`: now, and conversion between time zones with their daylight saving. */
export const time = defineToolset({
  name: "time",
  description: "The date and time now, and conversion between time zones",
  guidance:
    "You do not know the current date or time by yourself: ask `get_current_date_and_time` whenever it matters.",
  crossCutting: true,
  tools: (context) => [
    tool({
      name: "get_current_date_and_time",
      description: "Tells the current date, weekday and time, here or in another time zone.",
      input: z.object({ timezone: zone("The time zone; the machine's own when left out").optional() }),
      run({ timezone }) {
        const found = findZone(timezone ?? Temporal.Now.timeZoneId());
        if ("problem" in found) return found.problem;
        const now = Temporal.Instant.fromEpochMilliseconds(context.now().getTime()).toZonedDateTimeISO(found.zone);
        return [describeMoment(now), exactMoment(now), nextChange(now)].join("\n");
      },
    }),

    tool({
      name: "convert_time",
      description: "Converts a date and time from one time zone to another, with daylight saving taken into account.",
      input: z.object({
        datetime: z.string().describe(
          'A local date and time, such as "2026-03-29T14:30", or a time today, such as "14:30"',
        ),
        from: zone("The time zone the date and time are in"),
        to: zone("The time zone to convert to"),
      }),
      run({ datetime, from, to }) {
        const source = findZone(from);
        if ("problem" in source) return source.problem;
        const target = findZone(to);
        if ("problem" in target) return target.problem;
        const read = readMoment(datetime, source.zone, context.now());
        if ("problem" in read) return read.problem;
        const there = read.moment.withTimeZone(target.zone);
        const answer = `${describeMoment(read.moment)} is ${describeMoment(there)}`;
        return [answer, exactMoment(there), ...read.notes].join("\n");
      },
    }),
  ],
});
