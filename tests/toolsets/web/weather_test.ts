import assert from "node:assert/strict";
import { serve } from "../../core/egress/hosts.ts";
import { insideOf, lookupAt, textOf } from "./web_fixture.ts";

const PLACES = [
  {
    id: 1,
    name: "Paris",
    latitude: 48.85,
    longitude: 2.35,
    country: "France",
    country_code: "FR",
    admin1: "Île-de-France",
  },
  {
    id: 2,
    name: "Paris",
    latitude: 33.66,
    longitude: -95.55,
    country: "United States",
    country_code: "US",
    admin1: "Texas",
  },
];

const FORECAST = {
  timezone: "Europe/Paris",
  current: {
    time: "2027-01-31T09:00",
    temperature_2m: 4.2,
    apparent_temperature: 1,
    relative_humidity_2m: 80,
    precipitation: 0,
    weather_code: 61,
    wind_speed_10m: 12.5,
    wind_direction_10m: 225,
  },
  daily: {
    time: ["2027-01-31", "2027-02-01"],
    weather_code: [61, 999],
    temperature_2m_max: [6, null],
    temperature_2m_min: [1, 2],
    precipitation_sum: [3.1, 0],
    precipitation_probability_max: [90, null],
    sunrise: ["2027-01-31T08:20", null],
    sunset: ["2027-01-31T17:45", null],
  },
};

const service = () =>
  serve((request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/v1/forecast") return Response.json(FORECAST);
    return Response.json(searchParams.get("name") === "Paris" ? { results: PLACES } : { generationtime_ms: 0.1 });
  });

const ask = (origin: string, input: Record<string, unknown>) =>
  textOf("get_weather", input, { allow: [], lookup: lookupAt(origin) });

Deno.test("get_weather() tells the weather now and on the next days", async () => {
  await using host = service();
  const { content } = insideOf(await ask(host.origin, { place: "Paris", days: 2 }));
  assert.equal(
    content,
    "Paris, Île-de-France, France (48.85, 2.35), times of Europe/Paris\n" +
      "Now (2027-01-31 09:00): light rain, 4.2°C, feels like 1°C, humidity 80%, precipitation 0 mm, wind 12.5 km/h from the south-west\n" +
      "- 2027-01-31: light rain, 1 to 6 °C, precipitation 3.1 mm, likely to 90%, sun 08:20 to 17:45\n" +
      "- 2027-02-01: 2 to ? °C, precipitation 0 mm\n\n" +
      "Other places of that name: Paris, Texas, United States",
  );
  assert.equal(new URL(host.requests[1]?.url ?? "").searchParams.get("forecast_days"), "2");
});

for (const place of ["Paris, Texas", "Paris, US", "Paris , united states"]) {
  Deno.test(`"${place}" is the one in Texas`, async () => {
    await using host = service();
    assert.match(insideOf(await ask(host.origin, { place })).content, /^Paris, Texas, United States/);
  });
}

Deno.test("a place nobody knows is answered with the accepted form (K-328)", async () => {
  await using host = service();
  assert.match(await ask(host.origin, { place: "Nowhere" }), /such as "Paris" or "Paris, Texas"/);
  assert.match(await ask(host.origin, { place: "Paris, Atlantis" }), /No place "Paris, Atlantis"/);
});

Deno.test("a service that fails, or is another, is said", async () => {
  await using failing = serve(() => new Response("", { status: 500 }));
  assert.match(await ask(failing.origin, { place: "Paris" }), /status 500/);
  await using other = serve(() => Response.json({ results: "none" }));
  assert.match(await ask(other.origin, { place: "Paris" }), /did not answer as Open-Meteo does/);
});
