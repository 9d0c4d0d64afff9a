import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { browserTest, startChromium } from "../chromium.ts";
import { png } from "../core/log/sample_pictures.ts";
import { startProxy } from "../proxy.ts";
import { DESK, LOOSE, say, startSite, untilAnswered, untilLive, watchedPage } from "./harness.ts";
import { answers, slowly } from "./script.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

for (const mode of ["keeps", "strips"] as const) {
  browserTest(
    `no sub-path: the whole page works below /assistant/ of a proxy that ${mode} the prefix`,
    LOOSE,
    async () => {
      const script = [...slowly(60), ...answers(2)];
      const allowedHosts = ["malama.localhost"];
      const site = await startSite({ script, basePath: "/assistant", auth: "token", allowedHosts });
      await using proxy = startProxy({ port: site.server.port, prefix: "/assistant", mode });
      const url = `http://malama.localhost:${proxy.port}/assistant`;
      const context = await browser.newContext({ ...DESK, serviceWorkers: "allow" });
      context.setDefaultTimeout(20_000);
      try {
        const { page, ...misdeeds } = await watchedPage(context, { ...site, url });
        // The door, by the link it prints, at the address of the proxy.
        await page.goto(url + "/");
        await page.getByRole("heading", { name: "Mālama is locked" }).waitFor();
        assert.equal(page.url(), `${url}/login`);
        await page.goto(
          url + new URL(site.server.loginUrl).pathname.replace("/assistant", "") + new URL(site.server.loginUrl).search,
        );
        await untilLive(page);
        assert.equal(page.url(), `${url}/`);
        assert.deepEqual((await context.cookies()).map(({ path }) => path), ["/assistant"]);

        // The first message streams, through the socket.
        await say(page, "Slowly");
        await page.locator(".prose.live").waitFor();
        await untilAnswered(page);
        assert.match(page.url(), /\/assistant\/c\/\w+$/);
        await page.reload();
        await untilLive(page);
        await untilAnswered(page);

        // A picture goes up and comes back.
        const buffer = Buffer.from(png(40, 30));
        await page.setInputFiles(".composer input[type=file]", { name: "map.png", mimeType: "image/png", buffer });
        await page.waitForFunction(() => document.querySelectorAll(".attached .chip:not(:has(progress))").length === 1);
        await say(page, "Look");
        await untilAnswered(page, 2);
        await page.waitForFunction(() => {
          const shown = document.querySelector<HTMLImageElement>("main img[src*='/assistant/images/']");
          return shown !== null && shown.complete && shown.naturalWidth === 40;
        });

        // What the menus lead to.
        await page.keyboard.press("Control+k");
        await page.locator("#find").fill("written slowly");
        await page.getByRole("option").filter({ has: page.locator("mark") }).first().click();
        await page.waitForURL(/\/assistant\/c\/\w+\?at=\d+/);
        await untilLive(page);
        await page.locator(".head").getByRole("button", { name: "Rounds", exact: true }).click();
        await page.getByText("The request, as sent").click();
        await page.locator(".tree").waitFor();
        await page.locator(".head details.menu summary").click();
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("link", { name: "Export as Markdown" }).click(),
        ]);
        assert.match(await Deno.readTextFile(await download.path()), /### You\n\nSlowly/);

        // Out again.
        await page.goto(`${url}/settings`);
        await untilLive(page);
        await page.getByRole("button", { name: "Sign out" }).click();
        await page.getByRole("heading", { name: "You are signed out" }).waitFor();
        await page.goto(`${url}/usage`);
        assert.equal(page.url(), `${url}/login`);

        assert.deepEqual(misdeeds, { violations: [], errors: [], foreign: [] });
        assert.deepEqual(proxy.outside, [], "nothing outside of the prefix was asked for");
      } finally {
        await context.close();
        await site.close();
      }
    },
  );
}

browserTest("without scripts the forms work below the prefix too", LOOSE, async () => {
  const site = await startSite({ script: answers(2), basePath: "/assistant" });
  await using proxy = startProxy({ port: site.server.port, prefix: "/assistant", mode: "strips" });
  const context = await browser.newContext({ ...DESK, javaScriptEnabled: false });
  try {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${proxy.port}/assistant/`);
    await page.locator("#say").fill("Hello there");
    await page.locator(".composer button[type=submit]").first().click();
    await page.waitForURL(/\/assistant\/c\/\w+/);
    assert.match(await page.locator("main").innerText(), /Hello there/);
    assert.deepEqual(proxy.outside, []);
  } finally {
    await context.close();
    await site.close();
  }
});
