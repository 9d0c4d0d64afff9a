import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright-core";
import { browserTest, startChromium } from "../chromium.ts";
import { assertAccessible } from "./axe.ts";
import { DESK, LOOSE, openStart, say, startSite, untilAnswered, untilLive, watchedPage } from "./harness.ts";
import { answers } from "./script.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

/** A window that lets a service worker in. */
async function withWindow(run: (context: BrowserContext, page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ ...DESK, serviceWorkers: "allow" });
  context.setDefaultTimeout(20_000);
  try {
    await run(context, await context.newPage());
  } finally {
    await context.close();
  }
}

/** Waits until a worker is installed, and takes the page's requests. */
async function untilKept(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Waits for what a page can only tell after a while: an async predicate of `waitForFunction` would count as true at once. */
async function until(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!await page.evaluate(isSo)) {
    assert.ok(Date.now() < deadline, `never came true: ${isSo}`);
    await delay(20);
  }
}

/** What is in the caches: address and text of each. */
async function kept(page: Page): Promise<{ name: string; address: string; text: string }[]> {
  return await page.evaluate(async () => {
    const all = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const { pathname, search } = new URL(request.url);
        all.push({ name, address: pathname + search, text: await (await cache.match(request))!.text() });
      }
    }
    return all;
  });
}

browserTest("the shell alone is kept: nothing of a conversation, a page, or the API", LOOSE, async () => {
  const site = await startSite({ script: answers(2), basePath: "/home" });
  await withWindow(async (context, page) => {
    await site.assistant.conversations.create({ title: "A secret title" });
    await openStart(page, site);
    await untilKept(page);
    await say(page, "Words that nobody else reads");
    await untilAnswered(page);
    await page.reload();
    await untilLive(page);
    await page.goto(`${site.url}/usage`);
    await page.goto(`${site.url}/settings`);
    const all = await kept(page);
    assert.ok(all.length > 10);
    for (const { name, address, text } of all) {
      assert.match(name, /^malama:\/home:\w+$/);
      assert.match(address, /^\/home\/(?:_fresh\/js\/\w+\/[\w/.-]+|offline|[\w.]+\?__frsh_c=\w+)$/);
      assert.doesNotMatch(text, /secret title|nobody else reads/, address);
      assert.ok(!text.includes(site.dataDir), address);
    }
    assert.deepEqual(context.serviceWorkers().map((worker) => worker.url()), [`${site.url}/sw.js`]);
  });
  await site.close();
});

browserTest("without a connection the page opens, and what is written there is sent once", LOOSE, async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "malama-offline-" });
  let site = await startSite({ script: answers(3), dataDir, basePath: "/home" });
  const { port } = site.server;
  await withWindow(async (context, first) => {
    const { page, errors, violations } = await watchedPage(context, site);
    await first.close();
    await openStart(page, site);
    await untilKept(page);
    await say(page, "The first message");
    await untilAnswered(page);
    const conversation = page.url();
    await page.locator("#say").fill("A draft for this one");
    await site.close();

    await page.goto(conversation);
    assert.match(page.url(), /\/home\/offline\?to=%2Fhome%2Fc%2F\w+$/);
    await page.getByRole("heading", { name: "Mālama does not answer" }).waitFor();
    assert.match(await page.locator("#kept").innerText(), /Draft A draft for this one/);
    await page.getByText(/Not connected, (?:next try|trying)/).waitFor();
    await assertAccessible(page, "the page without a connection");
    await say(page, "Written without a connection");
    await page.getByText("Written without a connection").first().waitFor();
    await page.reload();
    await page.getByText("Written without a connection").first().waitFor();

    site = await startSite({ script: answers(3), dataDir, port, basePath: "/home" });
    await page.waitForURL(/\/home\/c\/\w+$/);
    await untilLive(page);
    await untilAnswered(page);
    const { items } = await site.assistant.conversations.list();
    assert.deepEqual(items.map(({ title }) => title).sort(), ["The first message", "Written without a connection"]);
    assert.deepEqual(items.map(({ turns }) => turns), [1, 1], "sent once");
    await page.goto(conversation);
    await untilLive(page);
    assert.equal(await page.locator("#say").inputValue(), "A draft for this one");
    assert.deepEqual([errors, violations], [[], []]);
  });
  await site.close();
  await Deno.remove(dataDir, { recursive: true });
});

browserTest("with nothing written the page that was asked for opens as soon as there is an answer", LOOSE, async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "malama-offline-" });
  let site = await startSite({ dataDir });
  const { port } = site.server;
  await withWindow(async (_context, page) => {
    await openStart(page, site);
    await untilKept(page);
    await site.close();
    await page.goto(`${site.url}/usage?days=7`);
    await page.getByRole("heading", { name: "Mālama does not answer" }).waitFor();
    await page.evaluate(() => history.replaceState(null, "", "/offline?to=https%3A%2F%2Felsewhere.example%2F"));
    await page.goto(`${site.url}/usage?days=7`);
    site = await startSite({ dataDir, port });
    await page.waitForURL(`${site.url}/usage?days=7`);
    await page.goto(`${site.url}/offline?to=https%3A%2F%2Felsewhere.example%2F`);
    await page.waitForURL(`${site.url}/`);
    await untilLive(page);
  });
  await site.close();
  await Deno.remove(dataDir, { recursive: true });
});

browserTest(
  "signing out clears this browser: cache, worker, drafts; signing in keeps the shell again",
  LOOSE,
  async () => {
    const site = await startSite({ auth: "token" });
    await withWindow(async (context, page) => {
      await page.goto(site.server.loginUrl);
      await untilLive(page);
      await untilKept(page);
      await page.evaluate(() => localStorage.setItem("another", "not ours"));
      await page.locator("#say").fill("A draft that must go");
      await page.goto(`${site.url}/settings`);
      await untilLive(page);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "You are signed out" }).waitFor();
      await until(
        page,
        async () =>
          (await caches.keys()).length === 0 && (await navigator.serviceWorker.getRegistrations()).length === 0,
      );
      assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), ["another"]);
      assert.deepEqual(await context.cookies(), []);

      const token = (await Deno.readTextFile(`${site.dataDir}/token`)).trim();
      const headers = { authorization: `Bearer ${token}` };
      const { url } = await (await fetch(`${site.url}/api/login-codes`, { method: "POST", headers })).json();
      await page.goto(url);
      await untilLive(page);
      await until(page, async () => await caches.match("/offline") !== undefined);
    });
    await site.close();
  },
);

/** A server of nothing but a worker, whose every answer a test can change. */
async function withWorker(
  run: (page: Page, site: { shell: unknown; answer: Record<string, () => Response>; url: string }) => Promise<void>,
): Promise<void> {
  const worker = await Deno.readTextFile(new URL("../../static/worker.js", import.meta.url));
  const type = (type: string) => ({ headers: { "content-type": type, "cache-control": "no-store" } });
  const html = (text: string) => new Response(`<!doctype html><title>x</title><p>${text}`, type("text/html"));
  const site = {
    shell: {} as unknown,
    url: "",
    answer: {
      "/sw.js": () =>
        new Response(
          `self.shell = ${JSON.stringify(site.shell)};\nimportScripts("/worker.js");`,
          type("text/javascript"),
        ),
      "/worker.js": () => new Response(worker, type("text/javascript")),
      "/offline": () => html("Nobody"),
      "/": () => html("Here"),
      "/a.js?1": () => new Response("one", type("text/javascript")),
      "/a.js?2": () => new Response("two", type("text/javascript")),
    } as Record<string, () => Response>,
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const { pathname, search } = new URL(request.url);
    return site.answer[pathname + search]?.() ?? new Response("None", { status: 404 });
  });
  site.url = `http://127.0.0.1:${server.addr.port}`;
  await withWindow(async (_context, page) => {
    await page.goto(site.url);
    await run(page, site);
  });
  await server.shutdown();
}

const register = (page: Page) =>
  page.evaluate(async () => {
    const { installing, waiting, active } = await navigator.serviceWorker.register("/sw.js");
    const worker = (installing ?? waiting ?? active)!;
    if (worker.state === "activated") return "activated";
    return await new Promise<string>((resolve) => {
      worker.onstatechange = () => ["activated", "redundant"].includes(worker.state) && resolve(worker.state);
    });
  });

browserTest("a new version takes the place of the older, whose files go", LOOSE, async () => {
  await withWorker(async (page, site) => {
    site.shell = { base: "", hash: "1", files: ["/a.js?1"] };
    assert.equal(await register(page), "activated");
    await page.evaluate(() => caches.open("somebody:else"));
    assert.deepEqual((await kept(page)).map(({ address }) => address).sort(), ["/a.js?1", "/offline"]);
    site.shell = { base: "", hash: "2", files: ["/a.js?2"] };
    await page.evaluate(async () => {
      const registration = (await navigator.serviceWorker.getRegistration())!;
      const found = new Promise<void>((resolve) => registration.onupdatefound = () => resolve());
      await registration.update();
      await found;
    });
    await until(page, async () => !(await caches.keys()).includes("malama::1"));
    const now = await kept(page);
    assert.deepEqual(now.map(({ name, address }) => `${name} ${address}`).sort(), [
      "malama::2 /a.js?2",
      "malama::2 /offline",
    ]);
    assert.equal(now.find(({ address }) => address === "/a.js?2")?.text, "two");
    assert.equal(await page.evaluate(() => caches.has("somebody:else")), true, "another's stays");
  });
});

browserTest("what was redirected or refused is never kept, and such a version not installed", LOOSE, async () => {
  for (
    const refusal of [
      () => new Response(null, { status: 303, headers: { location: "/" } }),
      () => new Response("Not signed in", { status: 401 }),
      () => new Response("None", { status: 404 }),
    ]
  ) {
    await withWorker(async (page, site) => {
      site.shell = { base: "", hash: "1", files: ["/a.js?1"] };
      site.answer["/a.js?1"] = refusal;
      assert.equal(await register(page), "redundant");
      assert.deepEqual(await kept(page), []);
    });
  }
});

browserTest(
  "a proxy with nobody behind it counts as no connection; any other answer is the page's own",
  LOOSE,
  async () => {
    await withWorker(async (page, site) => {
      site.shell = { base: "", hash: "1", files: ["/a.js?1"] };
      await register(page);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      site.answer["/c/1"] = () => new Response("Bad gateway", { status: 502 });
      await page.goto(`${site.url}/c/1`);
      assert.equal(page.url(), `${site.url}/offline?to=%2Fc%2F1`);
      site.answer["/c/1"] = () => new Response("Nothing can be kept now", { status: 503 });
      await page.goto(`${site.url}/c/1`);
      assert.equal(await page.locator("body").innerText(), "Nothing can be kept now");
      site.answer["/api/x"] = () => new Response("Bad gateway", { status: 502 });
      await page.goto(`${site.url}/api/x`);
      assert.equal(await page.locator("body").innerText(), "Bad gateway");
    });
  },
);
