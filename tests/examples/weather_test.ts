/** The example toolset, as a newcomer would have it: in its own process, with what it was granted. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPlugins } from "../../core/sandbox/mod.ts";
import { callTool } from "../toolsets/toolset_fixture.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/weather", import.meta.url));

Deno.test("The example toolset answers with the weather, and only from where it was granted", async () => {
  const home = await Deno.realPath(await Deno.makeTempDir());
  const asked: string[] = [];
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, ({ url }) => {
    asked.push(url);
    return Response.json({ current: { temperature_2m: 21.5, wind_speed_10m: 7 } });
  });
  const host = `127.0.0.1:${server.addr.port}`;
  const settings = { service: `http://${host}` };
  const open = (permissions: Readonly<Record<string, readonly string[]>>) =>
    openPlugins({
      config: {
        sections: { toolsets: { weather: { from: EXAMPLE, permissions } } },
        dataDir: home,
        file: join(home, "config.toml"),
        toolsets: { weather: settings },
      },
      env: (name) => Deno.env.get(name),
    });
  try {
    for (const isGranted of [false, true]) {
      const plugins = await open(isGranted ? { net: [host] } : {});
      try {
        const [weather] = plugins.toolsets;
        assert(weather);
        assert.equal(weather.problem, null);
        assert.match(String(weather.table), /api\.open-meteo\.com/);
        const place = { latitude: 19.7, longitude: "-155.1" };
        const answer = callTool(weather.toolset, "current_weather", place, { settings });
        if (isGranted) assert.equal(await answer, "21.5 °C, wind 7 km/h");
        else await assert.rejects(answer, /Requires net access/);
      } finally {
        await plugins.close();
      }
    }
    assert.equal(asked.length, 1);
    assert.match(asked[0] ?? "", /latitude=19\.7&longitude=-155\.1/);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
