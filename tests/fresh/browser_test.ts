import assert from "node:assert/strict";
import { launch, serveFixture, watchTrouble } from "./browser.ts";

Deno.test("a page in a real browser", async (t) => {
  await using server = await serveFixture();
  const browser = await launch();
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
