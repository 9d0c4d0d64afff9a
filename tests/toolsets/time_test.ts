import assert from "node:assert/strict";
import fc from "fast-check";
import { time } from "../../toolsets/time.ts";
import { callContext, toolsetContext } from "./toolset_fixture.ts";

const context = callContext();

async function run(name: string, input: unknown, now = "2026-11-30T20:15:04Z"): Promise<string> {
  const tool = time.tools(toolsetContext(time, { now: () => new Date(now) })).find((each) => each.spec.name === name);
  assert.ok(tool !== undefined);
  const checked = tool.check(input);
  return checked.ok ? String(await tool.run(checked.value, context)) : checked.problem;
}

const clock = (timezone?: string, now?: string) => run("get_current_date_and_time", { timezone }, now);
const convert = (datetime: string, from: string, to: string) => run("convert_time", { datetime, from, to });

Deno.test("get_current_date_and_time gives the date, weekday, time, zone and offset, for reading and exactly", async () => {
  assert.equal(
    await clock("Asia/Tokyo"),
    [
      "05:15:04 on Tuesday, 1 December 2026 in Asia/Tokyo (UTC+09:00)",
      "ISO 8601: 2026-12-01T05:15:04+09:00[Asia/Tokyo]",
      "Its clock does not change.",
    ].join("\n"),
  );
});

Deno.test("get_current_date_and_time without a zone is the machine's own", async () => {
  assert.match(await clock(), new RegExp(`in ${Temporal.Now.timeZoneId()} \\(`));
});

Deno.test("get_current_date_and_time says when the clock changes next", async () => {
  assert.match(
    await clock("Europe/Berlin", "2026-07-01T12:00:00Z"),
    /next put back on 2026-10-25, from UTC\+02:00 to UTC\+01:00\./,
  );
  assert.match(await clock("Europe/Berlin"), /next put forward on 2027-03-28, from UTC\+01:00 to UTC\+02:00\./);
});

Deno.test("get_current_date_and_time reads the clock each time it is called", async () => {
  let now = new Date("2026-01-01T00:00:00Z");
  const [tool] = time.tools(toolsetContext(time, { now: () => now }));
  assert.match(String(await tool?.run({ timezone: "UTC" }, context)), /2026-01-01T00:00:00/);
  now = new Date("2026-01-01T00:00:09Z");
  assert.match(String(await tool?.run({ timezone: "UTC" }, context)), /2026-01-01T00:00:09/);
});

const ZONES: readonly (readonly [string, string])[] = [
  ["Europe/Berlin", "Europe/Berlin"],
  ["europe/berlin", "Europe/Berlin"],
  ["berlin", "Europe/Berlin"],
  ["  New York ", "America/New_York"],
  ["new_york", "America/New_York"],
  ["utc", "UTC"],
  ["Z", "UTC"],
  ["GMT", "UTC"],
  ["+05:30", "+05:30"],
  ["US/Pacific", "US/Pacific"],
  ["Asia/Calcutta", "Asia/Calcutta"],
];

for (const [written, zone] of ZONES) {
  Deno.test(`a time zone may be written ${JSON.stringify(written)}`, async () => {
    assert.ok((await clock(written)).includes(` in ${zone} (`), await clock(written));
  });
}

const NO_ZONES: readonly (readonly [string, RegExp])[] = [
  ["Asia/Tokio", /no time zone "Asia\/Tokio"\. Did you mean Asia\/Tokyo\?/],
  ["Berlni", /Did you mean Europe\/Berlin/],
  ["Auck", /Did you mean Pacific\/Auckland/],
  ["Mars/Olympus", /no time zone "Mars\/Olympus"\. Write it as an IANA name, such as Europe\/Berlin/],
  ["", /no time zone ""/],
  ["x".repeat(100_000), /no time zone "x{60}"/],
  ["../etc/passwd", /no time zone/],
];

for (const [written, answer] of NO_ZONES) {
  Deno.test(`an unknown zone ${JSON.stringify(written.slice(0, 20))} is answered with the accepted form (K-328)`, async () => {
    assert.match(await clock(written), answer);
    assert.match(await convert("10:00", written, "UTC"), answer);
    assert.match(await convert("10:00", "UTC", written), answer);
  });
}

/** Local time, its zone, and the moment in UTC: winter, summer, both changes, both halves of the world. */
const CONVERSIONS: readonly (readonly [string, string, string])[] = [
  ["2026-01-15T12:00", "Europe/Berlin", "2026-01-15T11:00:00"],
  ["2026-07-15T12:00", "Europe/Berlin", "2026-07-15T10:00:00"],
  ["2026-03-29T01:59", "Europe/Berlin", "2026-03-29T00:59:00"],
  ["2026-03-29T03:00", "Europe/Berlin", "2026-03-29T01:00:00"],
  ["2026-10-25T01:59", "Europe/Berlin", "2026-10-24T23:59:00"],
  ["2026-10-25T03:00", "Europe/Berlin", "2026-10-25T02:00:00"],
  ["2026-03-08T03:00", "America/New_York", "2026-03-08T07:00:00"],
  ["2026-11-01T00:59", "America/New_York", "2026-11-01T04:59:00"],
  ["2026-01-15T12:00", "Pacific/Auckland", "2026-01-14T23:00:00"],
  ["2026-07-15T12:00", "Pacific/Auckland", "2026-07-15T00:00:00"],
  ["2026-04-05T03:30", "Australia/Lord_Howe", "2026-04-04T17:00:00"],
  ["2026-06-01T12:00", "Asia/Kolkata", "2026-06-01T06:30:00"],
  ["2026-06-01T12:00", "Asia/Kathmandu", "2026-06-01T06:15:00"],
  ["2026-06-01T12:00", "Pacific/Honolulu", "2026-06-01T22:00:00"],
  ["2026-12-31T23:30", "America/Los_Angeles", "2027-01-01T07:30:00"],
  ["2024-02-29", "UTC", "2024-02-29T00:00:00"],
  ["2026-06-01 9:05", "UTC", "2026-06-01T09:05:00"],
];

for (const [datetime, from, utc] of CONVERSIONS.filter(([text]) => text !== "2026-06-01 9:05")) {
  Deno.test(`convert_time knows ${datetime} in ${from} as ${utc} UTC`, async () => {
    const answer = await convert(datetime, from, "UTC");
    assert.ok(answer.includes(`ISO 8601: ${utc}+00:00[UTC]`), answer);
    assert.doesNotMatch(answer, /Note:/);
  });
}

Deno.test("convert_time gives both sides with their weekdays and offsets", async () => {
  assert.equal(
    await convert("2026-12-01T09:00", "Berlin", "Tokyo"),
    "09:00 on Tuesday, 1 December 2026 in Europe/Berlin (UTC+01:00) is " +
      "17:00 on Tuesday, 1 December 2026 in Asia/Tokyo (UTC+09:00)\n" +
      "ISO 8601: 2026-12-01T17:00:00+09:00[Asia/Tokyo]",
  );
});

Deno.test("convert_time moves on a time that does not exist, and says so", async () => {
  const answer = await convert("2026-03-29T02:30", "Europe/Berlin", "UTC");
  assert.match(answer, /^03:30 on Sunday, 29 March 2026 in Europe\/Berlin \(UTC\+02:00\)/);
  assert.match(answer, /Note: 02:30 does not exist on 2026-03-29 in Europe\/Berlin.*03:30 was used instead\./);
});

Deno.test("convert_time takes the first of a time that happens twice, and says how to mean the second", async () => {
  const answer = await convert("2026-10-25T02:30", "Europe/Berlin", "UTC");
  assert.match(answer, /ISO 8601: 2026-10-25T00:30:00/);
  const second = answer.match(/for the second, write (\S+)\.$/)?.[1];
  assert.equal(second, "2026-10-25T02:30:00+01:00");
  assert.match(await convert(second ?? "", "Europe/Berlin", "UTC"), /ISO 8601: 2026-10-25T01:30:00/);
});

Deno.test("convert_time reads a time alone as today's in its own zone", async () => {
  assert.match(await convert("08:00", "Pacific/Auckland", "UTC"), /on Tuesday, 1 December 2026 in Pacific\/Auckland/);
  assert.match(await convert("08:00", "America/New_York", "UTC"), /on Monday, 30 November 2026 in America\/New_York/);
  assert.match(await convert("9:05", "UTC", "UTC"), /^09:05 on Monday/);
});

Deno.test("convert_time reads a time with an offset as that moment, and says so", async () => {
  const answer = await convert("2026-06-01T12:00:00Z", "Europe/Berlin", "Asia/Tokyo");
  assert.match(answer, /^14:00 on Monday, 1 June 2026 in Europe\/Berlin.*is 21:00/);
  assert.match(answer, /Note: the time came with its own offset/);
});

const NO_TIMES = [
  "tomorrow",
  "",
  "25:00",
  "2026-02-30T10:00",
  "2026-13-01",
  "10",
  "2026-06-01T24:01",
  "12:60",
  "x".repeat(9999),
];

for (const text of NO_TIMES) {
  Deno.test(`convert_time answers ${JSON.stringify(text.slice(0, 20))} with how to write a time (K-328)`, async () => {
    assert.match(await convert(text, "UTC", "Asia/Tokyo"), /is not a date and time\. Write it like 2026-03-29T14:30/);
  });
}

Deno.test("convert_time there and back is the same moment, whatever the zones", async () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
  const moment = fc.date({ min: new Date("2000-01-01"), max: new Date("2040-01-01"), noInvalidDate: true });
  await fc.assert(
    fc.asyncProperty(moment, zone, zone, async (date, from, to) => {
      const exact = new Date(Math.floor(date.getTime() / 1000) * 1000).toISOString();
      const there = (await convert(exact, from, to)).match(/ISO 8601: ([^[]+)\[/)?.[1] ?? "";
      assert.equal(Temporal.Instant.from(there).epochMilliseconds, new Date(exact).getTime());
      const back = (await convert(there, to, from)).match(/ISO 8601: ([^[]+)\[/)?.[1] ?? "";
      assert.equal(Temporal.Instant.from(back).epochMilliseconds, new Date(exact).getTime());
    }),
    { numRuns: 60 },
  );
});

Deno.test("time asks for no permissions and tells the model when to use it", () => {
  assert.deepEqual(time.permissions, {});
  assert.match(time.guidance ?? "", /get_current_date_and_time/);
});
