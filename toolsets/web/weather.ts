/**
 * The weather at a place, from a service of Open-Meteo's form: first where the place is, then how the weather is there.
 *
 * @module
 */
import { z } from "malama";
import type { Egress, Lookup } from "../../core/egress/mod.ts";
import { jsonOf, tryFetch } from "./answers.ts";
import { fence } from "../fence.ts";

const placesShape = z.object({
  results: z.array(z.object({
    name: z.string(),
    latitude: z.number(),
    longitude: z.number(),
    country: z.string().optional(),
    country_code: z.string().optional(),
    admin1: z.string().optional(),
  })).default([]),
});

type Place = z.output<typeof placesShape>["results"][number];

const number = z.number().nullish();
const numbers = z.array(z.number().nullable()).default([]);

const forecastShape = z.object({
  timezone: z.string().default("UTC"),
  current: z.object({
    time: z.string(),
    temperature_2m: number,
    apparent_temperature: number,
    relative_humidity_2m: number,
    precipitation: number,
    weather_code: number,
    wind_speed_10m: number,
    wind_direction_10m: number,
  }),
  daily: z.object({
    time: z.array(z.string()),
    weather_code: numbers,
    temperature_2m_max: numbers,
    temperature_2m_min: numbers,
    precipitation_sum: numbers,
    precipitation_probability_max: numbers,
    sunrise: z.array(z.string().nullable()).default([]),
    sunset: z.array(z.string().nullable()).default([]),
  }),
});

type Forecast = z.output<typeof forecastShape>;

/** What a service told, or the sentence that stands for it. */
type Told<T> = { readonly value: T } | { readonly problem: string };

/** The weather now and on the next days. Throws the signal's reason. */
export async function tellWeather(
  egress: Egress,
  { weatherUrl, geocodingUrl }: Lookup,
  { place, days }: { readonly place: string; readonly days: number },
  signal: AbortSignal,
): Promise<string> {
  const ask = async <S extends z.ZodType>(url: string, shape: S): Promise<Told<z.output<S>>> => {
    const trusted = [new URL(url).origin];
    const fetched = await tryFetch(egress, url, { signal, headers: { accept: "application/json" }, trusted });
    const read = "problem" in fetched ? fetched : jsonOf(fetched.answer);
    if ("problem" in read) return { problem: `The weather could not be asked for. ${read.problem}` };
    const shaped = shape.safeParse(read.json);
    return shaped.success
      ? { value: shaped.data }
      : { problem: `${new URL(url).origin} did not answer as Open-Meteo does.` };
  };
  const [name = "", ...more] = place.split(",").map((part) => part.trim());
  const asked = new URLSearchParams({ name, count: "10", language: "en", format: "json" });
  const found = await ask(`${geocodingUrl}/v1/search?${asked}`, placesShape);
  if ("problem" in found) return found.problem;
  const [chosen, ...others] = fitting(found.value.results, more);
  if (!chosen) {
    return `No place "${place}" is known: write a town, and where it helps its region or country, such as "Paris" or "Paris, Texas".`;
  }
  const weather = await ask(`${weatherUrl}/v1/forecast?${forecastQuery(chosen, days)}`, forecastShape);
  if ("problem" in weather) return weather.problem;
  return fence({
    source: weatherUrl,
    content: [
      ...describe(chosen, weather.value),
      ...others.length > 0 ? ["", `Other places of that name: ${others.slice(0, 4).map(placeName).join("; ")}`] : [],
    ].join("\n"),
  });
}

/** Those whose region or country is named too; all of them when none is. */
function fitting(places: readonly Place[], more: readonly string[]): readonly Place[] {
  const words = more.filter((part) => part !== "").map((part) => part.toLowerCase());
  return places.filter(({ admin1, country, country_code }) => {
    const names = [admin1, country, country_code].flatMap((each) => each ? [each.toLowerCase()] : []);
    return words.every((word) => names.some((each) => each === word || word.length > 3 && each.includes(word)));
  });
}

function forecastQuery({ latitude, longitude }: Place, days: number): URLSearchParams {
  return new URLSearchParams({
    latitude: String(latitude),
    longitude: String(longitude),
    current:
      "temperature_2m,apparent_temperature,relative_humidity_2m,precipitation,weather_code,wind_speed_10m,wind_direction_10m",
    daily:
      "weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,precipitation_probability_max,sunrise,sunset",
    timezone: "auto",
    forecast_days: String(days),
  });
}

function describe(place: Place, { timezone, current, daily }: Forecast): readonly string[] {
  const now = [
    sky(current.weather_code),
    some(current.temperature_2m, "°C"),
    some(current.apparent_temperature, "°C", "feels like "),
    some(current.relative_humidity_2m, "%", "humidity "),
    some(current.precipitation, " mm", "precipitation "),
    wind(current.wind_speed_10m, current.wind_direction_10m),
  ];
  const lines = daily.time.map((day, at) => {
    const facts = [
      sky(daily.weather_code[at]),
      `${daily.temperature_2m_min[at] ?? "?"} to ${daily.temperature_2m_max[at] ?? "?"} °C`,
      some(daily.precipitation_sum[at], " mm", "precipitation "),
      some(daily.precipitation_probability_max[at], "%", "likely to "),
      daily.sunrise[at] && daily.sunset[at]
        ? `sun ${daily.sunrise[at]?.slice(-5)} to ${daily.sunset[at]?.slice(-5)}`
        : null,
    ];
    return `- ${day}: ${said(facts)}`;
  });
  return [
    `${placeName(place)} (${place.latitude}, ${place.longitude}), times of ${timezone}`,
    `Now (${current.time.replace("T", " ")}): ${said(now)}`,
    ...lines,
  ];
}

function placeName({ name, admin1, country }: Place): string {
  return [name, admin1, country].filter((part) => part !== undefined && part !== "").join(", ");
}

function said(facts: readonly (string | null)[]): string {
  return facts.filter((fact) => fact !== null).join(", ");
}

function some(value: number | null | undefined, unit: string, before = ""): string | null {
  return value === null || value === undefined ? null : `${before}${value}${unit}`;
}

const WINDS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"] as const;

function wind(speed: number | null | undefined, from: number | null | undefined): string | null {
  if (speed === null || speed === undefined) return null;
  const direction = from === null || from === undefined ? "" : ` from the ${WINDS[Math.round(from / 45) % 8]}`;
  return `wind ${speed} km/h${direction}`;
}

/** Codes of the World Meteorological Organization, as Open-Meteo uses them. */
const SKIES: Readonly<Record<number, string>> = {
  0: "clear",
  1: "mostly clear",
  2: "partly cloudy",
  3: "overcast",
  45: "fog",
  48: "freezing fog",
  51: "light drizzle",
  53: "drizzle",
  55: "heavy drizzle",
  56: "light freezing drizzle",
  57: "freezing drizzle",
  61: "light rain",
  63: "rain",
  65: "heavy rain",
  66: "light freezing rain",
  67: "freezing rain",
  71: "light snow",
  73: "snow",
  75: "heavy snow",
  77: "snow grains",
  80: "light showers",
  81: "showers",
  82: "violent showers",
  85: "light snow showers",
  86: "heavy snow showers",
  95: "thunderstorm",
  96: "thunderstorm with some hail",
  99: "thunderstorm with heavy hail",
};

function sky(code: number | null | undefined): string | null {
  return code === null || code === undefined ? null : SKIES[code] ?? null;
}
