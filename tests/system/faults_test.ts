/** Each fault of a provider, through the whole product: one clear sentence, what had come is kept, and it goes on. */
import assert from "node:assert/strict";
import { PROTOCOLS, type Reply, startFakeProvider } from "../providers/mod.ts";
import { browserTest, LOOSE, openTab, say, signIn, startChromium, untilLive } from "./browser_tab.ts";
import { startProduct } from "./product.ts";

/** Short, so that a stall is a matter of a moment; long enough for a busy machine to answer in. */
const STALL_MS = 700;

const product = await startProduct({
  model: "demo:echo",
  provider: { stallTimeoutMs: STALL_MS, attempts: 2, backoffMs: 5 },
});
Deno.test.afterAll(async () => await product[Symbol.asyncDispose]());

interface FaultCase {
  readonly name: string;
  readonly reply: Reply;
  /** What the person is told. */
  readonly says: RegExp;
  /** Whether the answer had begun. */
  readonly begins?: boolean;
  /** How often it is asked. Default once. */
  readonly requests?: number;
}

const BEGUN = { thinking: "Let me see.", text: "It begins to" } as const;
const ALL = Number.MAX_SAFE_INTEGER;

const FAULTS: readonly FaultCase[] = [
  {
    name: "a limit that stays",
    reply: { status: { code: 429, message: "Slow down" } },
    says:
      /^"fake-1"(?: of [^"]+)? at \S+ is over its limit \(429: Slow down\)\. Try again in a while, or choose another model$/,
    requests: 2,
  },
  {
    name: "an overload inside the stream",
    reply: { ...BEGUN, fault: "overloaded", faultAfter: ALL },
    says:
      /^(?:"fake-1"(?: of [^"]+)? at \S+ (?:is overloaded|failed)|The answer of "fake-1" of .+ could not be finished)/,
    begins: true,
  },
  {
    name: "a clean end without a finish",
    reply: { ...BEGUN, fault: "eof" },
    says:
      /^The answer of "fake-1"(?: of [^"]+)? at \S+ ended without a finish, so it may be cut off\. Send the message again$/,
    begins: true,
  },
  {
    name: "a connection that breaks",
    reply: { ...BEGUN, fault: "reset" },
    says:
      /^The connection to "fake-1"(?: of [^"]+)? at \S+ broke in the middle of the answer\. Send the message again$/,
    begins: true,
  },
  {
    name: "a stall",
    reply: { ...BEGUN, fault: "stall" },
    says: /^Nothing came from "fake-1"(?: of [^"]+)? at \S+ for 700 ms\. Try again, or choose another model$/,
    begins: true,
  },
  {
    name: "a frame that is none",
    reply: { ...BEGUN, fault: "malformed" },
    says:
      /^The answer of "fake-1"(?: of [^"]+)? at \S+ could not be read: a frame was not JSON\. Check that the address is right/,
    begins: true,
  },
  {
    name: "a key that is refused",
    reply: { status: { code: 401, message: "Invalid key" } },
    says:
      /^"fake-1"(?: of [^"]+)? at \S+ refused the key \(401: Invalid key\)\. Set \w+( or \w+)* .*to a key that may use this model$/,
  },
  {
    name: "a model that is not there",
    reply: { status: { code: 404, message: "No such model" } },
    says:
      /^"fake-1"(?: of [^"]+)? at \S+ was not found \(404: No such model\)\. (Check the model's name|Load it with "ollama pull)/,
  },
];

/** One sentence or two, for a person: no line of a stack, no name of a class, no exclamation. */
function assertClear(sentence: string): void {
  assert.doesNotMatch(sentence, /\n|!|\bat \w+ \(|Error\b|undefined|\[object/);
  assert.match(sentence, /[^.]$/);
  assert.ok(sentence.length < 300, sentence);
}

for (const protocol of PROTOCOLS) {
  for (const { name, reply, says, begins, requests = 1 } of FAULTS) {
    Deno.test(`${protocol}: ${name} is one clear sentence, nothing is lost, and the next message works`, async () => {
      let answer = reply;
      await using provider = startFakeProvider(protocol, () => answer);
      const id = await product.conversation(provider.modelString);
      const turn = await product.ended(await product.say(id, "Go"));
      assert.equal(turn.status, "failed");
      assert.match(turn.failure ?? "", says);
      assertClear(turn.failure!);
      assert.equal(provider.requests.length, requests);

      const entries = await product.stored(id);
      assert.deepEqual(entries.map(({ seq }) => seq), entries.map((_, at) => at + 1));
      assert.ok(entries.every(({ state }) => state === "done"));
      assert.deepEqual(entries.map(({ kind }) => kind), [
        "user",
        ...(begins ? ["thinking", "text"] : []),
        "round",
        "notice",
      ]);
      if (begins) assert.deepEqual((await product.of(id, "text")).map(({ data }) => data.text), [BEGUN.text]);
      assert.equal((await product.of(id, "round"))[0]?.data.error, turn.failure);
      assert.deepEqual((await product.of(id, "notice")).map(({ data }) => data), [
        { text: turn.failure!, level: "error" },
      ]);

      answer = { text: "Here again" };
      assert.equal((await product.ended(await product.say(id, "And now?"))).status, "done");
      assert.equal((await product.of(id, "text")).at(-1)?.data.text, "Here again");
    });
  }
}

browserTest("the page says each fault in the words of the log, live and after a reload", LOOSE, async () => {
  const browser = await startChromium();
  try {
    let reply: Reply = {};
    await using provider = startFakeProvider("openai-chat", () => reply);
    const id = await product.conversation(provider.modelString);
    const tab = await openTab(await signIn(browser, product), `${product.url}/c/${id}`);
    const told: string[] = [];
    for (const [n, fault] of FAULTS.entries()) {
      reply = fault.reply;
      await say(tab.page, `Message ${n + 1}`);
      await tab.ended(n + 1);
      const { path } = await product.assistant.conversations.get(id);
      const { failure } = path.at(-1)!;
      assert.match(failure ?? "", fault.says);
      told.push(failure!);
      const section = tab.page.locator("article.turn").nth(n);
      assert.equal(await section.getByText(failure!, { exact: true }).count(), 1);
      assert.equal(await section.locator(".prose", { hasText: BEGUN.text }).count(), fault.begins ? 1 : 0);
    }
    assert.equal(await tab.page.getByRole("button", { name: "Try again" }).count(), 1, "only the last can be tried");
    reply = { text: "Here again" };
    await tab.page.getByRole("button", { name: "Try again" }).click();
    await tab.shows("Here again");
    await tab.ended(FAULTS.length + 1);
    const live = await tab.main();
    for (const failure of told) assert.ok(live.includes(failure));
    await tab.page.reload();
    await untilLive(tab.page);
    assert.equal(await tab.main(), live);
    tab.assertWellBehaved();
  } finally {
    await browser.close();
  }
});
