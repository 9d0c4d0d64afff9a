/**
 * A toolset of a third party's: the weather at a place, from a service on the network.
 *
 * It shows all that a toolset can have: settings, a permission it asks for, a tool with checked arguments, and answers that
 * say what would be right when something is wrong. `docs/write-a-toolset.md` goes through it.
 *
 * @module
 */
import { defineToolset, tool, z } from "malama";

/** What the service answers with, as far as it is read here. */
const forecast = z.object({
  current: z.object({ temperature_2m: z.number(), wind_speed_10m: z.number() }),
});

export default defineToolset({
  name: "weather",
  description: "The weather now at a place on earth",
  permissions: { net: ["api.open-meteo.com"] },
  settings: {
    service: z.url().default("https://api.open-meteo.com").describe("The service that is asked"),
  },
  tools: ({ settings }) => [
    tool({
      name: "current_weather",
      description: "Gives the temperature and the wind at a place now.",
      input: z.object({
        latitude: z.number().min(-90).max(90).describe("Degrees, south is negative"),
        longitude: z.number().min(-180).max(180).describe("Degrees, west is negative"),
      }),
      timeoutSeconds: 15,
      async run({ latitude, longitude }, { signal }) {
        const address = new URL("/v1/forecast", settings.service);
        address.search = new URLSearchParams({
          latitude: `${latitude}`,
          longitude: `${longitude}`,
          current: "temperature_2m,wind_speed_10m",
        }).toString();
        const response = await fetch(address, { signal });
        if (!response.ok) return `The service answered with status ${response.status}: try again in a few minutes`;
        const { current } = forecast.parse(await response.json());
        return `${current.temperature_2m} °C, wind ${current.wind_speed_10m} km/h`;
      },
    }),
  ],
});
