import assert from "node:assert/strict";
import type { Page, WebSocketRoute } from "playwright-core";
import { LOOSE, openStart, say, untilAnswered, untilIdle, untilLive, withPage } from "./harness.ts";
import { answers, BROKEN, COAST, DAYS, LONG, MANY, REFUSED, SLOW } from "./script.ts";
import { browserTest, startChromium } from "../chromium.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

/** The text of the transcript, as a reader sees it, without what counts. */
async function transcriptText(page: Page): Promise<string> {
  return (await page.locator("#log").innerText()).replace(/\s+/g, " ").trim();
}

browserTest("a first message becomes a conversation in place, and a reload shows the same", LOOSE, async () => {
  await withPage(browser, { script: COAST }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Three days on the coast path");
    await untilAnswered(page);
    assert.match(page.url(), /\/c\/[0-9A-Z]{26}$/);
    await page.locator("h1.title button").waitFor();
    const live = await transcriptText(page);
    assert.match(live, /Low water falls in daylight/);
    assert.match(live, /read_file notes\/coast.md/);
    assert.match(live, /failed The server did not answer within 20 s/);
    await page.reload();
    await untilLive(page);
    assert.equal(await transcriptText(page), live);
    assert.equal(await page.locator(".row a[aria-current=page]").count(), 1);
  });
});

browserTest("what the server draws is what stands there once scripts have run", LOOSE, async () => {
  await withPage(browser, { script: DAYS }, async (page, site) => {
    await openStart(page, site);
    await say(page, "How long is each day really?");
    await untilAnswered(page);
    const url = page.url();
    const response = await page.context().request.get(url);
    const html = await response.text();
    for (const part of ["Walking time is distance over pace", "<h2", "climbPerHour", "<blockquote", "4.5"]) {
      assert.ok(html.includes(part), `the server did not draw ${part}`);
    }
    assert.ok(!/<script(?![^>]*(?:src=|type="application\/json"))/.test(html), "no inline script");
    assert.ok(!/\sstyle="/.test(html), "no style attribute");
  });
});

browserTest(
  "mathematics is set once the text is final, money is left alone, and nothing breaks the policy",
  LOOSE,
  async () => {
    await withPage(browser, { script: DAYS }, async (page, site) => {
      await openStart(page, site);
      await say(page, "How long is each day really?");
      await untilAnswered(page);
      await page.locator(".formula .katex").nth(1).waitFor();
      assert.equal(await page.locator(".formula.display .katex-display").count(), 1);
      assert.equal(await page.locator(".formula").count(), 2);
      assert.match(await transcriptText(page), /It costs \$5 and \$10\./);
      const height = await page.locator(".formula.display .katex").evaluate((node) =>
        node.getBoundingClientRect().height
      );
      assert.ok(height > 30, "KaTeX's measures are in force");
    });
  },
);

browserTest("a picture of another host is a line that names the host, and nothing is loaded", LOOSE, async () => {
  await withPage(browser, { script: DAYS }, async (page, site) => {
    await openStart(page, site);
    await say(page, "How long is each day really?");
    await untilAnswered(page);
    assert.match(await page.locator(".far-picture").innerText(), /maps\.example, not loaded/);
    assert.equal(await page.locator("#log img").count(), 0);
  });
});

browserTest("thinking is folded to its first sentence, a tool line opens to arguments and result", LOOSE, async () => {
  await withPage(browser, { script: COAST }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Three days on the coast path");
    await untilAnswered(page);
    const thought = page.locator(".line-block").first();
    assert.match(await thought.locator(".what").innerText(), /^The causeway sets the calendar.*around it$/);
    const call = page.locator(".line-block", { hasText: "read_file" });
    await call.locator("summary").click();
    assert.match(await call.locator(".args").innerText(), /path\s+notes\/coast\.md/);
    assert.match(await call.locator("pre").innerText(), /line 31$/);
  });
});

browserTest("a long result is cut, and the rest is loaded once when it is asked for", LOOSE, async () => {
  await withPage(browser, { script: LONG }, async (page, site) => {
    let loads = 0;
    page.on("request", (request) => loads += request.url().includes("/payloads/") ? 1 : 0);
    await openStart(page, site);
    await say(page, "A long result, please");
    await untilAnswered(page);
    const call = page.locator(".line-block", { hasText: "read_file" });
    await call.locator("summary").click();
    const cut = (await call.locator("pre").innerText()).length;
    assert.ok(cut <= 4000 && cut > 3900, `${cut} characters at first`);
    assert.equal(loads, 0);
    await call.getByText("Show the rest").click();
    await call.locator("pre", { hasText: "long.log, line 4000" }).waitFor();
    assert.equal(loads, 1);
    assert.equal(await call.getByText("Show the rest").count(), 0);
  });
});

browserTest("more than five finished calls are one line, which opens to each of them", LOOSE, async () => {
  await withPage(browser, { script: MANY }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Now many calls");
    await untilAnswered(page);
    const group = page.locator(".line-block", { hasText: "8 calls: read_file" }).first();
    await group.locator("> summary").click();
    assert.equal(await group.locator(".nested .line-block").count(), 8);
  });
});

browserTest("Stop ends a running turn, keeps what was written, and offers to go on", LOOSE, async () => {
  await withPage(browser, { script: [...SLOW, ...answers(1)] }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Say it slowly");
    await page.locator(".prose.live").waitFor();
    await page.getByText(/^Working, 0:0[1-9]/).waitFor();
    assert.equal(await page.locator("article[aria-busy=true]").count(), 1);
    await page.locator(".stop-button").click();
    await page.getByText("You stopped this turn").waitFor();
    assert.match(await transcriptText(page), /Sentence number 1 is written slowly/);
    assert.equal(await page.locator(".working, .prose.live, .stop-button").count(), 0);
    await page.getByRole("button", { name: "Go on" }).click();
    await untilAnswered(page, 2);
  });
});

browserTest("a turn that failed says why and can be tried again", LOOSE, async () => {
  await withPage(browser, { script: [...BROKEN, ...answers(1)] }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Please break off");
    await page.getByText("The scripted model did not answer").waitFor();
    assert.equal(await page.locator(".prose", { hasText: "The beginning of an answer that" }).count(), 1);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("article.turn").nth(1).waitFor();
  });
});

browserTest("a message sent while a turn runs stands above the composer and follows it", LOOSE, async () => {
  await withPage(browser, { script: [...SLOW, ...answers(1)] }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Say it slowly");
    await page.locator(".prose.live").waitFor();
    await page.locator("#say").fill("And this comes after");
    await page.locator("#say").press("Alt+Enter");
    await page.locator(".queue", { hasText: "And this comes after" }).waitFor();
    await page.locator(".stop-button").click();
    await page.locator(".said", { hasText: "And this comes after" }).waitFor();
    await untilAnswered(page, 2);
    assert.equal(
      await page.getByText("And this comes after").count(),
      2,
      "once in the transcript, once in the contents",
    );
  });
});

browserTest("however often the socket is cut, the answer is drawn exactly once", LOOSE, async () => {
  await withPage(browser, { script: SLOW }, async (page, site) => {
    const sockets: WebSocketRoute[] = [];
    let cuts = 0;
    await page.routeWebSocket(/\/live$/, (socket) => {
      sockets.push(socket);
      const server = socket.connectToServer();
      let deltas = 0;
      let cut = false;
      server.onMessage((message) => {
        socket.send(message);
        if (/"op":"delta"/.test(String(message)) && ++deltas >= 2 + cuts % 3 && cuts < 4 && !cut) {
          cut = true;
          cuts++;
          socket.close({ code: 1001 });
          server.close();
        }
      });
    });
    await openStart(page, site);
    await say(page, "Say it slowly");
    await page.locator(".prose:not(.live)", { hasText: "Sentence number 12" }).waitFor({ timeout: 40_000 });
    const text = await page.locator(".prose").innerText();
    assert.ok(cuts >= 2, `${cuts} cuts`);
    assert.equal(sockets.length, cuts + 1);
    const sentences = [...text.matchAll(/Sentence number (\d+) is written slowly, with some weight in it\./g)].map((
      m,
    ) => m[1]);
    assert.deepEqual(sentences, Array.from({ length: 12 }, (_, n) => String(n + 1)));
    const id = page.url().split("/").at(-1)!;
    const stored = await site.assistant.log.entries(id);
    const entry = stored.items.find((item) => item.kind === "text");
    assert.equal(text, (entry?.data as { text: string }).text.replaceAll("**", ""));
  });
});

browserTest("two tabs on one conversation show the same", LOOSE, async () => {
  await withPage(browser, { script: [...COAST, ...MANY] }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Three days on the coast path");
    await untilAnswered(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await untilLive(other);
    await say(page, "Now many calls");
    await untilAnswered(page, 2);
    await untilAnswered(other, 2);
    assert.equal(await transcriptText(other), await transcriptText(page));
  });
});

browserTest("the newest entries come first, earlier ones when the top is reached", LOOSE, async () => {
  await withPage(browser, { script: answers(70) }, async (page, site) => {
    const { id } = await site.assistant.conversations.create({ title: "Long" });
    for (let n = 1; n <= 70; n++) await site.assistant.turns.submit(id, { text: `Message number ${n}`, queue: true });
    await untilIdle(site, id);
    await page.goto(`${site.url}/c/${id}`);
    await untilLive(page);
    const drawn = await page.locator("article.turn").count();
    assert.ok(drawn >= 50 && drawn < 70, `${drawn} turns at first`);
    assert.ok(await page.evaluate(() => scrollY > 1000), "begins at the end");
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator("#turn-1").waitFor({ state: "attached" });
    assert.equal(await page.locator("article.turn").count(), 70);
    assert.equal(await page.locator(".older").count(), 0);
    const early = await (await page.context().request.get(`${site.url}/c/${id}?before=20`)).text();
    assert.match(early, /<p dir="auto">Message number 1<\/p>/, "without scripts a link leads there");
  });
});

browserTest("a refusal is said in words and is not offered again", LOOSE, async () => {
  await withPage(browser, { script: REFUSED }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Do something bad");
    await untilAnswered(page);
    assert.match(await transcriptText(page), /I will not help with that|declined/);
    assert.equal(await page.getByRole("button", { name: /Try again|Go on/ }).count(), 0);
  });
});

browserTest("the first load is less than 90 kB of scripts, and mathematics is not among them", LOOSE, async () => {
  await withPage(browser, { script: DAYS }, async (page, site) => {
    const sizes = new Map<string, Promise<number>>();
    page.on("response", (response) => {
      if (response.request().resourceType() === "script") {
        sizes.set(response.url(), response.body().then((body) => gzipped(new Uint8Array(body))));
      }
    });
    const total = async () => (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0);
    await openStart(page, site);
    const first = await total();
    assert.ok(first > 20_000 && first < 90_000, `${first} bytes`);
    await say(page, "How long is each day really?");
    await page.locator(".formula .katex").first().waitFor();
    assert.ok(await total() > first + 60_000, "KaTeX comes when there is a formula");
  });
});

async function gzipped(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  return (await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer())
    .byteLength;
}
