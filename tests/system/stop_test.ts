/** Stop, in every phase of a turn: the provider's socket closes, what was written stays, and the next message works. */
import assert from "node:assert/strict";
import { median } from "../../bench/figure.ts";
import { INTERRUPTED } from "../../core/log/mod.ts";
import { type FakeProvider, type FakeRequest, PROTOCOLS, type Script, startFakeProvider } from "../providers/mod.ts";
import { browserTest, LOOSE, openTab, signIn, startChromium } from "./browser_tab.ts";
import { startProduct } from "./product.ts";
import { slowToolset } from "./slow_toolset.ts";
import { reach, type StopPhase, stopPhases } from "./stop_phases.ts";
import { sitDown } from "./terminal_seat.ts";

/** The aim is 250 ms (bench/stop_bench.ts measures it); a loaded machine is given more here. */
const LIMIT_MS = 1000;

const product = await startProduct({ model: "demo:echo", toolsets: [slowToolset] });
const times: number[] = [];
Deno.test.afterAll(async () => {
  console.log(
    `from stop to the closed socket: median ${median(times).toFixed(1)} ms, ` +
      `slowest ${Math.max(...times).toFixed(1)} ms of ${times.length}`,
  );
  await product[Symbol.asyncDispose]();
});

function script(phase: StopPhase): Script {
  return (_request, index) => phase.replies[index] ?? { text: "Here again" };
}

/** Stops by `stop` and gives the milliseconds until no request was open any more. */
async function timeToClose(request: FakeRequest, phase: StopPhase, stop: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  const closed = phase.isBetweenRequests ? stop() : request.closed;
  const asked = phase.isBetweenRequests ? closed : stop();
  await closed;
  const ms = performance.now() - began;
  await asked;
  if (!phase.isBetweenRequests) assert.equal(await request.closed, "client");
  return ms;
}

/** What must hold of a conversation whose only turn was stopped in a phase. */
async function assertStopped(phase: StopPhase, provider: FakeProvider, id: string): Promise<void> {
  const { path, running } = await product.assistant.conversations.get(id);
  assert.deepEqual(path.map(({ status }) => status), ["stopped"]);
  assert.equal(running, false);
  assert.deepEqual(product.assistant.diagnostics().turns, []);
  const entries = await product.stored(id);
  assert.ok(entries.every(({ state }) => state === "done"));
  if (phase.kept) assert.equal(entries.findLast((entry) => entry.kind === "text")?.data.text, phase.kept);
  for (const { data } of await product.of(id, "tool")) {
    assert.ok(data.result === INTERRUPTED ? data.status === "interrupted" : data.status === "done", data.result);
  }
  assert.deepEqual((await product.of(id, "notice")).map(({ data }) => data.text), [
    "You stopped this turn. What it had written is kept",
  ]);
  assert.equal(provider.requests.length, phase.replies.length, "nothing was asked after the stop");

  // The provider refuses a request whose calls and results do not match.
  const next = await product.ended(await product.say(id, "And now?"));
  assert.equal(next.status, "done", next.failure ?? "");
  assert.equal((await product.of(id, "text")).at(-1)?.data.text, "Here again");
}

for (const protocol of PROTOCOLS) {
  for (const phase of stopPhases(protocol)) {
    Deno.test(`${protocol}: stop ${phase.name} ends the request, keeps the turn, and the next message works`, async () => {
      await using provider = startFakeProvider(protocol, script(phase));
      const id = await product.conversation(provider.modelString);
      const turn = await product.say(id, "Go");
      await reach(phase, product, provider, id);
      const request = provider.requests.at(-1)!;
      const ms = await timeToClose(request, phase, async () => {
        const { stopped } = await product.call<{ stopped: boolean }>("POST", `/api/conversations/${id}/stop`);
        assert.equal(stopped, true);
      });
      assert.equal((await product.ended(turn)).status, "stopped");
      assert.ok(ms < LIMIT_MS, `${ms.toFixed(0)} ms`);
      times.push(ms);
      await assertStopped(phase, provider, id);
    });
  }
}

const phases = stopPhases("anthropic");

browserTest("the page's Stop button ends the request of a turn that writes", LOOSE, async () => {
  const browser = await startChromium();
  try {
    const context = await signIn(browser, product);
    const phase = phases.find(({ name }) => name === "in text")!;
    await using provider = startFakeProvider("anthropic", script(phase));
    const id = await product.conversation(provider.modelString);
    const tab = await openTab(context, `${product.url}/c/${id}`);
    const turn = await product.say(id, "Go");
    await reach(phase, product, provider, id);
    await tab.shows("It begins to");
    const button = tab.page.locator(".stop-button");
    const ms = await timeToClose(provider.requests[0]!, phase, () => button.click());
    assert.ok(ms < LIMIT_MS, `${ms.toFixed(0)} ms`);
    assert.equal((await product.ended(turn)).status, "stopped");
    await tab.shows("You stopped this turn");
    await tab.shows("It begins to");
    assert.equal(await tab.page.locator(".working, .stop-button, .prose.live").count(), 0);
    await assertStopped(phase, provider, id);
    await tab.shows("Here again");
    tab.assertWellBehaved();
  } finally {
    await browser.close();
  }
});

for (const name of ["while a tool runs", "before the first byte"]) {
  Deno.test(`Ctrl-C in the terminal ends a turn ${name}`, async () => {
    const phase = phases.find((each) => each.name === name)!;
    await using provider = startFakeProvider("anthropic", script(phase));
    const id = await product.conversation(provider.modelString);
    await using seat = sitDown(product, id);
    const { terminal } = seat;
    terminal.type("Go");
    await reach(phase, product, provider, id);
    await terminal.until(({ status }) => status?.startsWith("Working, ") ?? false, "heard of the turn");
    const stopped = () => terminal.until(({ status, out }) => status === null && out.includes("stopped"), "stopped");
    const ms = await timeToClose(provider.requests[0]!, phase, () => {
      terminal.interrupt();
      return stopped();
    });
    assert.ok(ms < LIMIT_MS, `${ms.toFixed(0)} ms`);
    assert.match(terminal.notes, /Stopping\. Ctrl-C again leaves/);
    await assertStopped(phase, provider, id);
    await terminal.until(({ out }) => out.includes("Here again"), "went on");
  });
}
