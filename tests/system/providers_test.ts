/** The whole product on each of the five protocols: page, terminal, log, next request and captured bytes agree. */
import assert from "node:assert/strict";
import type { Entry } from "../../core/log/mod.ts";
import { type FakeRequest, type Protocol, PROTOCOLS, startFakeProvider } from "../providers/mod.ts";
import { browserTest, LOOSE, openTab, say, signIn, startChromium, untilLive } from "./browser_tab.ts";
import { type Product, startProduct } from "./product.ts";
import { readBody } from "./received.ts";
import { bodiesOf } from "./refold.ts";
import { sitDown } from "./terminal_seat.ts";
import { Valve } from "./valve.ts";

const browser = await startChromium();
const product = await startProduct({ model: "demo:echo" });
Deno.test.afterAll(async () => {
  await browser.close();
  await product[Symbol.asyncDispose]();
});

const CALLS = [
  {
    name: "convert_time",
    arguments: { datetime: "2026-07-01T12:00", from: "Europe/Berlin", to: "Asia/Tokyo" },
    result: /^12:00 on Wednesday, 1 July 2026 in Europe\/Berlin .* is 19:00 on Wednesday/,
  },
  { name: "calculate", arguments: { expression: "6*7" }, result: /^6\*7 = 42$/ },
] as const;

const THOUGHT = "Two things are asked for. Both have a tool, and neither waits for the other.";

const ANSWER = `## What came out

At noon in **Berlin** it is *seven in the evening* in Tokyo, and the sum is \`42\`.

- First the hour
- Then the sum, which is 1 < 42

| Question | Answer |
| --- | --- |
| Tokyo | 19:00 |
| The sum | 42 |

\`\`\`ts
const answer = 6 * 7;
\`\`\`

More of it in [the notes](https://notes.example/noon), and “ünïcode” 東京.`;

/** Frames of the answer that come before the test has seen that both ends stream. */
const HALF = 34;

for (const protocol of PROTOCOLS) {
  browserTest(
    `${protocol}: two parallel calls and an answer stream to page and terminal, and all records agree`,
    LOOSE,
    async () => {
      const valve = new Valve();
      await using provider = startFakeProvider(protocol, [
        {
          thinking: THOUGHT,
          text: "Let me look both up.",
          toolCalls: CALLS.map(({ name, arguments: input }) => ({ name, arguments: input })),
          chunkBytes: 7,
        },
        { thinking: "Now it can be said.", text: ANSWER, gate: valve.gate },
        { text: "You are welcome." },
      ]);
      const id = await product.conversation(provider.modelString);
      const context = await signIn(browser, product);
      const tab = await openTab(context, `${product.url}/c/${id}`);
      const watchers = product.assistant.feed.size;
      await using seat = sitDown(product, id);
      const { terminal } = seat;
      await watchedBy(watchers + 1);

      await say(tab.page, "When is it noon, and what is 6 times 7?");
      valve.openTo(HALF);
      await tab.page.locator(".prose.live", { hasText: "seven in the evening" }).waitFor();
      await terminal.until(({ out }) => out.includes("*seven in the evening*"), "streamed");
      assert.doesNotMatch(await tab.text(), /The sum\s+42/, "the page cannot know the end yet");
      assert.ok(!terminal.out.includes("| The sum |"), "the terminal cannot know the end yet");
      valve.open();
      await tab.ended(1);
      await terminal.until(({ status, out }) => status === null && out.includes("2 calls"), "ended");

      const entries = await product.stored(id);
      assertStored(entries);
      assertInTerminal(terminal.out, entries);
      await assertOnPage(await tab.text(), await proseWords(tab.page));
      await assertRequests(protocol, provider, id);

      const [live, markup] = [await tab.main(), await tab.markup()];
      await tab.page.reload();
      await untilLive(tab.page);
      assert.equal(await tab.main(), live);
      assert.equal(await tab.markup(), markup);

      terminal.type("Thank you");
      await tab.ended(2);
      await tab.shows("You are welcome.");
      await assertRequests(protocol, provider, id);
      assert.equal(provider.requests.length, 3);
      tab.assertWellBehaved();
      await context.close();
    },
  );
}

/** Waits until so many listen: the terminal shows nothing of a conversation without turns, so it cannot be asked. */
async function watchedBy(watchers: number): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (product.assistant.feed.size < watchers) {
    assert.ok(performance.now() < deadline, "the terminal does not watch");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function assertStored(entries: readonly Entry[]): void {
  assert.ok(entries.every(({ state }) => state === "done"));
  assert.deepEqual(entries.map(({ kind }) => kind), [
    "user",
    ...["thinking", "text", "tool", "tool", "round"],
    ...["thinking", "text", "round"],
  ]);
  const calls = entries.filter((entry) => entry.kind === "tool");
  assert.deepEqual(calls.map(({ data }) => [data.name, data.arguments, data.status]), [
    [CALLS[0].name, CALLS[0].arguments, "done"],
    [CALLS[1].name, CALLS[1].arguments, "done"],
  ]);
  calls.forEach(({ data }, n) => assert.match(data.result ?? "", CALLS[n]!.result));
  assert.equal(entries.findLast((entry) => entry.kind === "text")?.data.text, ANSWER);
}

/** Every text stands there once, as it was stored. */
function assertInTerminal(out: string, entries: readonly Entry[]): void {
  for (const entry of entries) {
    if (entry.kind !== "text" && entry.kind !== "thinking") continue;
    assert.equal(out.split(entry.data.text).length, 2, `"${entry.data.text}" in ${out}`);
  }
  assert.match(out, /tool {2}convert_time {2}.* … 12:00 on Wednesday/);
  assert.match(out, /tool {2}calculate {2}6\*7 … 6\*7 = 42/);
  assert.match(out, /2 calls · .*22 in · 14 out/);
}

function assertOnPage(text: string, prose: readonly string[]): void {
  assert.match(text, /Two things are asked for/);
  assert.match(text, /calculate\s+6\*7/);
  assert.match(text, /convert_time/);
  assert.match(text, /2 calls\n/);
  assert.deepEqual(prose, words(`Let me look both up. ${withoutSyntax(ANSWER)}`));
}

/** The words of the answer as the page draws it, without the heads of listings. */
async function proseWords(page: { evaluate<T>(work: () => T): Promise<T> }): Promise<readonly string[]> {
  return words(
    await page.evaluate(() =>
      [...document.querySelectorAll("#log .prose")].map((prose) => {
        const copy = prose.cloneNode(true) as Element;
        for (const head of copy.querySelectorAll("figcaption")) head.remove();
        return [...copy.querySelectorAll("th, td, li, h1, h2, h3, h4, h5, h6, p, pre")].map((block) =>
          ` ${block.textContent} `
        ).join("");
      }).join(" ")
    ),
  );
}

function withoutSyntax(markdown: string): string {
  return markdown.replace(/\]\(\S+?\)/g, "]").replace(/^```\w+$/gm, "");
}

function words(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** What the provider was sent: the fold of the log, the captured bytes, and each call with its own stored result. */
async function assertRequests(
  protocol: Protocol,
  { requests, modelString }: { readonly requests: readonly FakeRequest[]; readonly modelString: string },
  id: string,
): Promise<void> {
  assert.deepEqual(requests.map(({ body }) => body), await bodiesOf(product, id, modelString));
  const rounds = await product.of(id, "round");
  assert.equal(rounds.length, requests.length);
  for (const [n, { data }] of rounds.entries()) {
    assert.deepEqual(await payload(product, data.request_ref), new TextEncoder().encode(requests[n]!.body));
    assert.equal(data.request_bytes, Number(requests[n]!.headers.get("content-length")));
  }
  const stored = await product.of(id, "tool");
  const { calls, results } = readBody(protocol, requests[1]!.json);
  assert.deepEqual(
    calls.map(({ name, value }) => [name, value]),
    stored.map(({ data }) => [data.name, data.arguments]),
  );
  assert.deepEqual(results.map(({ value }) => value), stored.map(({ data }) => data.result));
  assert.deepEqual(results.map(({ id }) => id), calls.map(({ id }) => id));
  assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
}

async function payload({ url, token }: Product, ref: string | undefined): Promise<Uint8Array> {
  assert.match(ref ?? "", /^\/payloads\/[0-9a-f]{64}$/);
  const answer = await fetch(url + ref, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(answer.status, 200);
  return await answer.bytes();
}
