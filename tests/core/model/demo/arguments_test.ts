import assert from "node:assert/strict";
import { findArguments } from "../../../../core/model/demo/arguments.ts";
import { cityOf, findZones } from "../../../../core/model/demo/places.ts";

const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
});
const CONVERT = object({
  datetime: { type: "string" },
  from: { type: "string", description: "The time zone it is in" },
  to: { type: "string", description: "The time zone wanted" },
});

const CONVERSIONS: readonly (readonly [string, string, string, string])[] = [
  ["When it is 15:00 in Paris, what time is it in New York?", "15:00", "Europe/Paris", "America/New_York"],
  ["What time is it in New York when it is 3 pm in Paris?", "15:00", "Europe/Paris", "America/New_York"],
  ["convert 2026-12-01 09:00 from Berlin to Tokyo", "2026-12-01T09:00", "Europe/Berlin", "Asia/Tokyo"],
  ["convert 9:05 to Tokyo from Berlin", "09:05", "Europe/Berlin", "Asia/Tokyo"],
  ["noon in London, in Sydney", "12:00", "Europe/London", "Australia/Sydney"],
  ["midnight UTC in Hawaii", "00:00", "UTC", "Pacific/Honolulu"],
  ["12 am in Rome in Madrid", "00:00", "Europe/Rome", "Europe/Madrid"],
  ["2:30 pm in Rome in Madrid", "14:30", "Europe/Rome", "Europe/Madrid"],
];

for (const [text, datetime, from, to] of CONVERSIONS) {
  Deno.test(`findArguments() reads ${JSON.stringify(text)}`, () => {
    const found = findArguments(CONVERT, text);
    assert.deepEqual(found.values, { datetime, from, to });
    assert.equal(found.complete, true);
  });
}

Deno.test("findArguments() says when something required is missing", () => {
  assert.equal(findArguments(CONVERT, "convert 15:00 to Tokyo").complete, false);
  assert.equal(findArguments(object({ query: { type: "string" } }), "search").complete, false);
  assert.equal(findArguments(object({ query: { type: "string" } }, []), "search").complete, true);
  assert.equal(findArguments({ type: "object" }, "anything").complete, true);
});

const VALUES: readonly (readonly [string, Record<string, unknown>, string, unknown])[] = [
  ["a number", { level: { type: "number" } }, "set it to 7.5 please", 7.5],
  ["a negative number", { level: { type: "number" } }, "set it to -3", -3],
  ["a whole number", { level: { type: "integer" } }, "set it to 1,200", 1200],
  ["a choice", { mode: { enum: ["off", "on"] } }, "turn the lamp ON", "on"],
  ["an address", { url: { type: "string" } }, "fetch https://example.com/a?b=1 now", "https://example.com/a?b=1"],
  ["a path", { path: { type: "string" } }, "read notes/a.md please", "notes/a.md"],
  ["a date", { date: { type: "string" } }, "on 2026-12-24 at home", "2026-12-24"],
  ["a quoted text", { query: { type: "string" } }, "search “two words” now", "two words"],
  ["a place", { city: { type: "string" } }, "weather in Hilo?", "Hilo"],
  ["what comes after a word", { query: { type: "string" } }, "look for red pears.", "red pears"],
  ["a zone", { timezone: { type: "string" } }, "time in Tokyo", "Asia/Tokyo"],
  ["an unknown place as it is said", { timezone: { type: "string" } }, "time in Port Elsewhere", "Port Elsewhere"],
];

for (const [name, properties, text, value] of VALUES) {
  Deno.test(`findArguments() finds ${name}`, () => {
    assert.deepEqual(Object.values(findArguments(object(properties), text).values), [value]);
  });
}

Deno.test("findArguments() leaves optional text out unless it is quoted", () => {
  const input = object({ note: { type: "string" } }, []);
  assert.deepEqual(findArguments(input, "about the garden").values, {});
  assert.deepEqual(findArguments(input, 'with "mulch"').values, { note: "mulch" });
});

Deno.test("findArguments() marks a sum, and lets 'that' stand for the last result", () => {
  const input = object({ expression: { type: "string" } });
  assert.deepEqual(findArguments(input, "add 1 to that", "41"), {
    values: { expression: "41 + 1" },
    complete: true,
    hasExpression: true,
  });
});

Deno.test("findZones() finds cities, countries and IANA names, in order and whole", () => {
  const zones = (text: string) => findZones(text).map((found) => found.zone);
  assert.deepEqual(zones("from New York to Tokyo"), ["America/New_York", "Asia/Tokyo"]);
  assert.deepEqual(zones("europe/berlin and japan"), ["Europe/Berlin", "Asia/Tokyo"]);
  assert.deepEqual(zones("New Zealand"), ["Pacific/Auckland"]);
  assert.deepEqual(zones("San Francisco"), ["America/Los_Angeles"]);
  assert.deepEqual(zones("UTC"), ["UTC"]);
});

Deno.test("findZones() finds no place inside another word", () => {
  assert.deepEqual(findZones("a romeo in parisian fashion"), []);
  assert.deepEqual(findZones(""), []);
});

Deno.test("cityOf() says a zone as people do", () => {
  assert.equal(cityOf("America/Argentina/Buenos_Aires"), "Buenos Aires");
  assert.equal(cityOf("UTC"), "UTC");
});
