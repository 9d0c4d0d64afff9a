import assert from "node:assert/strict";
import { serveFixture, watchTrouble } from "./browser.ts";
import { browserTest, startChromium } from "../chromium.ts";

browserTest("a page in a real browser", async (t) => {
  await using server = await serveFixture();
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    const trouble = watchTrouble(page);
    // Marks the server's elements before any script of the page has run.
    await page.addInitScript(() => {
      document.addEventListener("readystatechange", () => {
        if (document.readyState !== "interactive") return;
        for (const element of document.querySelectorAll("main *")) element.setAttribute("data-server", "");
      });
    });
    await page.goto(server.url);
    await page.locator("#values[data-awake=true]").waitFor();

    await t.step("the elements of the server stay", async () => {
      const replaced = await page.locator("main *:not([data-server])").evaluateAll((all) =>
        all.map((element) => element.outerHTML)
      );
      assert.deepEqual(replaced, []);
    });

    await t.step("one signal given to three islands stays one", async () => {
      await page.click("#one button");
      await page.click("#inner button");
      for (const id of ["one", "two", "inner"]) {
        assert.equal(await page.textContent(`#${id} output`), "5");
      }
    });

    await t.step("the values arrive as what they were", async () => {
      const lines = (await page.textContent("#values"))?.split("\n");
      assert.deepEqual(lines, [
        "2026-11-30T10:00:00.000Z",
        "true",
        "2",
        "true",
        "example.org",
        "true",
        "1,2,255",
        "3 false",
        "NaN,Infinity,-Infinity,-0",
        "true",
        "true",
        "5",
        "6",
        "6",
        "</script><script>alert(1)</script>\u2028",
      ]);
    });

    await t.step("markup handed to an island keeps its place and its own islands", async () => {
      assert.equal(await page.textContent("#slot"), "Markup with 5more inside");
      assert.equal(await page.textContent("#panel .body"), "Markup with 5more insidetail");
      assert.equal(await page.getAttribute("#slot", "class"), "plain");
      assert.equal(await page.textContent("#panel h2 em"), "A title");
    });

    await t.step("a slot that was not drawn is drawn later, alive", async () => {
      assert.equal(await page.locator("#hidden").count(), 0);
      await page.click("#open");
      assert.equal(await page.textContent("#hidden output"), "5");
      await page.click("#hidden button");
      assert.equal(await page.textContent("#two output"), "6");
      await page.click("#open");
      assert.equal(await page.locator("#hidden").count(), 0);
      await page.click("#open");
      assert.equal(await page.textContent("#hidden output"), "6");
      assert.equal(await page.textContent("#open"), "close");
    });

    await t.step("a lazy chunk is loaded when it is asked for", async () => {
      assert.equal(await page.textContent("#loaded"), "not loaded");
      await page.click("#load");
      await page.getByText("loaded-later").waitFor();
    });

    await t.step("the same address of a file on both sides", async () => {
      assert.match(await page.getAttribute("#dot", "src") ?? "", /^\/dot\.svg\?__frsh_c=[0-9a-f]{16}$/);
    });

    await t.step("nothing violates a policy without inline scripts, and nothing fails", () => {
      assert.deepEqual(trouble, []);
    });
  } finally {
    await browser.close();
  }
});

browserTest("under a base path the page and its lazy parts are served from below it", async () => {
  await using server = await serveFixture({ basePath: "/base" });
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    const trouble = watchTrouble(page);
    const outside: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(`${server.url}/`)) outside.push(request.url());
    });
    await page.goto(`${server.url}/`);
    await page.locator("#values[data-awake=true]").waitFor();
    await page.click("#load");
    await page.getByText("loaded-later").waitFor();
    assert.match(await page.getAttribute("#dot", "src") ?? "", /^\/base\/dot\.svg\?__frsh_c=/);
    assert.deepEqual([trouble, outside], [[], []]);
  } finally {
    await browser.close();
  }
});

browserTest("text typed before hydration is kept", async () => {
  await using server = await serveFixture();
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    const scripts = Promise.withResolvers<void>();
    await page.route("**/_fresh/js/**", async (route) => {
      await scripts.promise;
      await route.continue();
    });
    await page.goto(server.url, { waitUntil: "commit" });
    await page.fill("#note", "typed early");
    assert.equal(await page.textContent("#length"), "0");
    scripts.resolve();
    await page.locator("#length", { hasText: "11" }).waitFor();
    assert.equal(await page.inputValue("#note"), "typed early");
    // The island draws again, and still holds what was typed.
    await page.locator("#note").pressSequentially("!");
    await page.locator("#length", { hasText: "12" }).waitFor();
    assert.equal(await page.inputValue("#note"), "typed early!");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "note");
  } finally {
    await browser.close();
  }
});

browserTest("an island that cannot load leaves the others alone", async () => {
  await using server = await serveFixture();
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    const trouble = watchTrouble(page);
    await page.route("**/islands/Lazy.js", (route) => route.abort());
    await page.goto(server.url);
    await page.click("#one button");
    await page.locator("#two output", { hasText: "4" }).waitFor();
    assert.equal(await page.textContent("#loaded"), "not loaded");
    assert.ok(trouble.some((line) => /could not be loaded; reload the page/.test(line)), trouble.join("\n"));
  } finally {
    await browser.close();
  }
});

browserTest("a page without islands fetches no script", async () => {
  await using server = await serveFixture();
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    const fetched: string[] = [];
    page.on("request", (request) => fetched.push(request.resourceType()));
    await page.goto(`${server.url}/plain`);
    assert.equal(await page.textContent("#plain"), "No islands here");
    assert.ok(!fetched.includes("script"), fetched.join());
  } finally {
    await browser.close();
  }
});

browserTest("markup with Head in an island keeps the document's title up to date", async () => {
  await using server = await serveFixture();
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}/titled`);
    assert.equal(await page.title(), "0 unread");
    await page.click("#read");
    await page.waitForFunction(() => document.title === "1 unread");
    assert.equal(await page.getAttribute("meta[name=unread]", "content"), "1");
    assert.equal(await page.locator("meta[name=unread]").count(), 1);
  } finally {
    await browser.close();
  }
});
