import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { DESK, LOOSE, openStart, say, startSite, untilAnswered, untilIdle, untilLive, withPage } from "./harness.ts";
import { answers, SLOW } from "./script.ts";
import { browserTest, startChromium } from "../chromium.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

const draft = (page: Page) => page.locator("#say").inputValue();
/** The field is drawn a moment after what it holds is known. */
const untilDraft = (page: Page, text: string) =>
  page.waitForFunction((text) => (document.getElementById("say") as HTMLTextAreaElement).value === text, text);

browserTest("a draft survives a reload, another conversation, and comes back where it was written", LOOSE, async () => {
  await withPage(browser, { script: answers(2) }, async (page, site) => {
    await openStart(page, site);
    await say(page, "The first one");
    await untilAnswered(page);
    const first = page.url();
    await page.locator("#say").fill("A long thought about the first");
    await page.reload();
    await untilLive(page);
    assert.equal(await draft(page), "A long thought about the first");
    await page.getByRole("link", { name: "New conversation" }).click();
    await untilLive(page);
    assert.equal(await draft(page), "");
    await page.locator("#say").fill("Not begun");
    await page.goto(first);
    await untilLive(page);
    assert.equal(await draft(page), "A long thought about the first");
    await page.goto(`${site.url}/`);
    await untilLive(page);
    assert.equal(await draft(page), "Not begun");
  });
});

browserTest("what is typed before the page's scripts have run is kept", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    const held = Promise.withResolvers<void>();
    await page.route(/\/_fresh\/js\//, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(site.url, { waitUntil: "commit" });
    await page.locator("#say").fill("Early words");
    held.resolve();
    await untilLive(page);
    assert.equal(await draft(page), "Early words");
    await page.locator("#say").press("Enter");
    await untilAnswered(page);
    assert.equal(await page.locator(".said").first().innerText().then((text) => text.includes("Early words")), true);
  });
});

browserTest("sending clears the draft", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Hello");
    await untilAnswered(page);
    await page.reload();
    await untilLive(page);
    assert.equal(await draft(page), "");
    await page.goto(`${site.url}/`);
    await untilLive(page);
    assert.equal(await draft(page), "");
  });
});

browserTest("Shift Enter makes a line, blank text is not sent", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    await openStart(page, site);
    await page.locator("#say").fill("   ");
    await page.locator("#say").press("Enter");
    assert.equal(await page.locator(".start").count(), 1);
    await page.locator("#say").fill("One");
    await page.locator("#say").press("Shift+Enter");
    await page.locator("#say").pressSequentially("Two");
    assert.equal(await draft(page), "One\nTwo");
    await page.locator("#say").press("Enter");
    await untilAnswered(page);
    assert.match(await page.locator(".said p").innerText(), /One\nTwo/);
  });
});

browserTest("Enter never sends while an input method composes, nor just after", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    await openStart(page, site);
    await page.locator("#say").fill("にほん");
    const sent = await page.locator("#say").evaluate((field) => {
      const press = (init: KeyboardEventInit & { keyCode?: number }) =>
        field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...init }));
      field.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
      const kept = [press({ isComposing: true }), press({ keyCode: 229 })];
      field.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true }));
      return [...kept, press({})];
    });
    assert.deepEqual(sent, [true, true, true], "none of the three was taken");
    assert.equal(await draft(page), "にほん");
    await page.waitForFunction(
      (since) => performance.now() - since > 150,
      await page.evaluate(() => performance.now()),
    );
    await page.locator("#say").press("Enter");
    await untilAnswered(page);
  });
});

browserTest("a real composition through the browser's own input method does not send", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    await openStart(page, site);
    await page.locator("#say").focus();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 });
    await devtools.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "Process", windowsVirtualKeyCode: 229 });
    await devtools.send("Input.insertText", { text: "日本" });
    assert.equal(await draft(page), "日本");
    assert.equal(await page.locator(".start").count(), 1);
  });
});

browserTest(
  "a message written while the server is away is kept, and delivered once when it is back",
  LOOSE,
  async () => {
    const dataDir = await Deno.makeTempDir({ prefix: "malama-away-" });
    let site = await startSite({ script: answers(4), dataDir });
    const context = await browser.newContext(DESK);
    context.setDefaultTimeout(20_000);
    try {
      const page = await context.newPage();
      await openStart(page, site);
      await say(page, "Before");
      await untilAnswered(page);
      const port = site.server.port;
      const id = page.url().split("/").at(-1)!;
      await site.close();
      await page.getByText(/Not connected, (next try in \d+\ss|trying)/).waitFor();
      await page.getByText("What you send is kept here and goes out once").waitFor();
      await say(page, "While it was away");
      const waiting = page.locator(".said.pending", { hasText: "While it was away" });
      await waiting.waitFor();
      await page.locator("#say").fill("And a draft");
      site = await startSite({ script: answers(4), dataDir, port });
      // It may have come back by itself already.
      await page.getByRole("button", { name: "Try now" }).click({ timeout: 1000 }).catch(() => {});
      await untilAnswered(page, 2);
      assert.equal(await waiting.count(), 0);
      assert.equal(await draft(page), "And a draft");
      assert.equal(await page.locator(".said", { hasText: "While it was away" }).count(), 1);
      const stored = await site.assistant.log.entries(id);
      const mine = stored.items.filter((item) => item.kind === "user" && item.data.text === "While it was away");
      assert.equal(mine.length, 1);
    } finally {
      await context.close();
      await site.close();
      await Deno.remove(dataDir, { recursive: true });
    }
  },
);

browserTest("a message that cannot be sent says so, also while the socket still looks open", LOOSE, async () => {
  await withPage(browser, { script: answers(3) }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Before");
    await untilAnswered(page);
    await page.route(/\/messages$/, (route) => route.abort("internetdisconnected"));
    await say(page, "Into the void");
    const held = page.locator(".said.pending", { hasText: "Into the void" });
    await held.getByText("Not connected. It is kept here and goes out once, when the connection is back").waitFor();
    await page.getByText(/Not connected, (next try in \d+\ss|trying)/).waitFor();
    await page.unroute(/\/messages$/);
    await page.getByRole("button", { name: "Try now" }).click();
    await untilAnswered(page, 2);
    await untilLive(page);
    assert.equal(await page.getByText("Not connected").count(), 0);
    assert.equal(await page.locator(".said", { hasText: "Into the void" }).count(), 1);
  });
});

browserTest("a message whose answer was lost on the way is not sent twice", LOOSE, async () => {
  await withPage(browser, { script: answers(3) }, async (page, site) => {
    let tries = 0;
    await page.route(/\/messages$/, async (route) => {
      tries++;
      if (tries > 1) return await route.continue();
      await route.fetch();
      await route.abort("connectionreset");
    });
    await openStart(page, site);
    await say(page, "Only once");
    await untilAnswered(page);
    await page.reload();
    await untilLive(page);
    await page.waitForFunction(() => Object.keys(localStorage).every((key) => !key.startsWith("malama::outbox:")));
    const id = page.url().split("/").at(-1)!;
    const stored = await site.assistant.log.entries(id);
    assert.equal(stored.items.filter((item) => item.kind === "user").length, 1);
  });
});

browserTest("a message the server refuses waits with its reason, and can be taken back", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    await openStart(page, site);
    await page.route(/\/messages$/, (route) =>
      route.fulfill({
        status: 400,
        contentType: "application/problem+json",
        body: JSON.stringify({ title: "Not so", status: 400, detail: "Write something shorter" }),
      }));
    await say(page, "Too long");
    await page.getByText("Write something shorter").waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    assert.equal(await draft(page), "Too long");
    assert.equal(await page.locator(".said.pending").count(), 0);
  });
});

browserTest("an opening is sent as it stands when it is chosen", LOOSE, async () => {
  await withPage(browser, { model: "demo:tour" }, async (page, site) => {
    await openStart(page, site);
    assert.match(await page.locator(".lede").first().innerText(), /demonstration model/);
    assert.match(await page.locator(".connect").innerText(), /export ANTHROPIC_API_KEY=….*model = "anthropic:/s);
    await page.getByRole("button", { name: /What time is it in Tokyo/ }).click();
    await untilAnswered(page);
    assert.match(await page.locator("#log").innerText(), /Tokyo/);
  });
});

browserTest("Escape stops the turn, a slash goes to the composer", LOOSE, async () => {
  await withPage(browser, { script: SLOW }, async (page, site) => {
    await openStart(page, site);
    await page.locator("body").press("/");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "say");
    await say(page, "Slowly");
    await page.locator(".prose.live").waitFor();
    await page.locator("#say").press("Escape");
    await page.getByText("You stopped this turn").first().waitFor();
  });
});

browserTest("everything works below a base path", LOOSE, async () => {
  await withPage(browser, { script: answers(2), basePath: "/assistant" }, async (page, site) => {
    assert.match(site.url, /\/assistant$/);
    await openStart(page, site);
    await say(page, "Hello");
    await untilAnswered(page);
    assert.match(new URL(page.url()).pathname, /^\/assistant\/c\/[0-9A-Z]{26}$/);
    await page.reload();
    await untilLive(page);
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("heading", { name: "Usage" }).waitFor();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await page.locator(".row a").first().click();
    await untilLive(page);
    await say(page, "Again");
    await untilAnswered(page, 2);
  });
});

browserTest("without scripts a person can read, write, stop and begin", LOOSE, async () => {
  await withPage(
    browser,
    { script: [...answers(2), ...SLOW], context: { javaScriptEnabled: false } },
    async (page, site) => {
      /** Posts a form and waits until the page it leads to is there. */
      const press = async (name: string) => {
        const answered = page.waitForResponse((response) => response.request().isNavigationRequest() && response.ok());
        await page.getByRole("button", { name }).click();
        await (await answered).finished();
        await page.waitForLoadState("load");
      };
      await page.goto(site.url);
      await page.locator("#say").fill("Hello without scripts");
      await press("Send");
      const url = `${site.url}${new URL(page.url()).pathname}`;
      const id = url.split("/").at(-1)!;
      await untilIdle(site, id);
      await page.goto(url);
      assert.match(await page.locator("#log").innerText(), /Hello without scripts.*Answer number 1\./s);
      assert.equal(await page.locator(".scripted:visible").count(), 0, "nothing that would not work is shown");
      await page.locator("#say").fill("More");
      await press("Send");
      assert.equal(new URL(page.url()).pathname, new URL(url).pathname);
      await untilIdle(site, id);
      await page.locator("#say").fill("Slowly");
      await press("Send");
      await press("Stop");
      await untilIdle(site, id);
      await page.goto(url);
      assert.match(await page.locator("#log").innerText(), /You stopped this turn/);
    },
  );
});

browserTest(
  "two tabs write the same draft: what was typed last stands in both, nothing typed is lost",
  LOOSE,
  async () => {
    await withPage(browser, { script: answers(2) }, async (page, site) => {
      await openStart(page, site);
      await say(page, "Hello");
      await untilAnswered(page);
      const other = await page.context().newPage();
      await other.goto(page.url());
      await untilLive(other);
      const holds = (tab: Page, text: string) =>
        tab.waitForFunction((text) => (document.getElementById("say") as HTMLTextAreaElement).value === text, text);
      await page.locator("#say").pressSequentially("From here");
      await holds(other, "From here");
      await other.locator("#say").press("End");
      await other.locator("#say").pressSequentially(" and there");
      await holds(page, "From here and there");
      await other.locator("#say").press("Enter");
      await holds(page, "");
      await untilAnswered(page, 2);
      assert.equal(await page.locator(".said", { hasText: "From here and there" }).count(), 1);
    });
  },
);

browserTest("what is typed while the first message goes out stays with the conversation it began", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    const held = Promise.withResolvers<void>();
    await page.route(/\/api\/conversations$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await openStart(page, site);
    await say(page, "The first");
    await page.locator("#say").fill("The next thought");
    held.resolve();
    await untilAnswered(page);
    await untilDraft(page, "The next thought");
    await page.reload();
    await untilLive(page);
    await untilDraft(page, "The next thought");
    await page.goto(`${site.url}/`);
    await untilLive(page);
    assert.equal(await draft(page), "");
  });
});

browserTest("sending waits for a file that is still going up, and says so", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    const held = Promise.withResolvers<void>();
    await page.route(/\/api\/attachments/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await openStart(page, site);
    const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Low water 11:31") };
    await page.locator('input[type="file"]').setInputFiles(file);
    await say(page, "Read this");
    await page.getByText("It is sent when 1 file is stored").waitFor();
    assert.equal(await draft(page), "Read this");
    held.resolve();
    await untilAnswered(page);
    const { items } = await site.assistant.log.entries(page.url().split("/").at(-1)!);
    const files = items.flatMap((entry) => entry.kind === "user" ? entry.data.files ?? [] : []);
    assert.deepEqual(files.map(({ name }) => name), ["notes.txt"]);
    assert.equal(await draft(page), "");
  });
});

browserTest("a file the server refused is not left out unseen", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    await openStart(page, site);
    const file = { name: "a.bin", mimeType: "application/octet-stream", buffer: Buffer.from([0xff, 0xfe, 0, 1]) };
    await page.locator('input[type="file"]').setInputFiles(file);
    await page.locator(".chip.refused").waitFor();
    await say(page, "Read this");
    await page.getByText("A file above was not stored").waitFor();
    assert.equal(await draft(page), "Read this");
    await page.getByRole("button", { name: "Remove a.bin" }).click();
    await page.locator("#say").press("Enter");
    await untilAnswered(page);
  });
});

browserTest(
  "a text of 2 MB can be written on and is kept, and one that is too long is said before it is sent",
  LOOSE,
  async () => {
    await withPage(browser, { script: answers(1) }, async (page, site) => {
      await openStart(page, site);
      let asked = 0;
      page.on("request", (request) => asked += request.method() === "POST" ? 1 : 0);
      const field = page.locator("#say");
      await field.evaluate((field: HTMLTextAreaElement) => {
        field.value = "Some words, and more of them.\n".repeat(66_700);
        field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      });
      await page.getByText(/^2,001,000 characters: 2,000,000 is the most one message may have/).waitFor();
      await field.press("Enter");
      assert.equal(asked, 0);
      await field.evaluate((field: HTMLTextAreaElement) => {
        field.value = field.value.slice(0, 1_990_000);
        field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      });
      await page.getByText(/2,000,000 is the most/).waitFor({ state: "detached" });
      await field.focus();
      await field.evaluate(async (field: HTMLTextAreaElement) => {
        for (let n = 0; n < 5; n++) {
          field.setRangeText("x", field.value.length, field.value.length, "end");
          field.dispatchEvent(new InputEvent("input", { bubbles: true }));
          await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
        }
      });
      await page.reload();
      await untilLive(page);
      assert.equal((await draft(page)).length, 1_990_005, "and it is kept");
    });
  },
);

browserTest("an arrow up in an empty composer edits the last message, in a full one it does not", LOOSE, async () => {
  await withPage(browser, { script: answers(2) }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Hello");
    await untilAnswered(page);
    await page.locator("#say").fill("x");
    await page.locator("#say").press("ArrowUp");
    assert.equal(await page.locator("main textarea").count(), 0);
    await page.locator("#say").fill("");
    await page.locator("#say").press("ArrowUp");
    await page.locator("main textarea").waitFor();
    assert.equal(await page.locator("main textarea").inputValue(), "Hello");
  });
});
