import assert from "node:assert/strict";
import { scriptedModel } from "../../../core/model/mod.ts";
import { handModel, openRun, textTool } from "./run_fixture.ts";

const call = (name: string, x: unknown = "a") => ({ name, arguments: { x } });
const twoRounds = (...calls: { name: string; arguments: unknown }[]) =>
  scriptedModel([{ tool_calls: calls }, { text: "ok" }]);

Deno.test("an unknown tool is answered with the tools there are", async () => {
  await using bench = await openRun();
  const ran = await bench.run(twoRounds(call("ehco")), { tools: [textTool("echo", (x) => x)] });
  assert.match(ran.of("tool")[0]?.data.result ?? "", /no tool "ehco".*echo/);
  assert.equal(ran.of("tool")[0]?.data.status, "failed");
  assert.equal(ran.outcome.status, "done");
});

Deno.test("arguments that do not fit are answered and not run", async () => {
  await using bench = await openRun();
  let runs = 0;
  const ran = await bench.run(twoRounds(call("echo", 7)), { tools: [textTool("echo", (x) => (runs++, x))] });
  assert.equal(runs, 0);
  assert.match(ran.of("tool")[0]?.data.result ?? "", /was not run.*expected string/s);
});

Deno.test("an exception is the call's result, with the tool named", async () => {
  await using bench = await openRun();
  const boom = textTool("boom", () => {
    throw new Error("no such file");
  });
  const ran = await bench.run(twoRounds(call("boom")), { tools: [boom] });
  assert.equal(ran.of("tool")[0]?.data.result, "boom failed: no such file");
});

Deno.test("a call past its time limit is ended and says so", async () => {
  await using bench = await openRun();
  let ended = false;
  const slow = textTool("slow", (_x, { signal }) => {
    signal.addEventListener("abort", () => ended = true);
    return new Promise<string>(() => {});
  }, { timeoutSeconds: 0.02 });
  const ran = await bench.run(twoRounds(call("slow")), { tools: [slow] });
  assert.match(ran.of("tool")[0]?.data.result ?? "", /did not end within 0.02 seconds/);
  assert.equal(ran.of("tool")[0]?.data.status, "failed");
  assert.ok(ended);
});

Deno.test("safe calls run together", async () => {
  await using bench = await openRun();
  const together = Promise.withResolvers<void>();
  let started = 0;
  // None ends before all three have begun.
  const safe = textTool("safe", async (x) => {
    if (++started === 3) together.resolve();
    await together.promise;
    return x;
  });
  const ran = await bench.run(twoRounds(...["1", "2", "3"].map((x) => call("safe", x))), { tools: [safe] });
  assert.deepEqual(ran.of("tool").map((entry) => entry.data.result), ["1", "2", "3"]);
});

Deno.test("unsafe calls run one at a time", async () => {
  await using bench = await openRun();
  let now = 0;
  let most = 0;
  const unsafe = textTool("unsafe", async (x) => {
    most = Math.max(most, ++now);
    // A turn of the event loop, in which another call would start if it could.
    await bench.fixture.storage.database.read("select 1");
    now--;
    return x;
  }, { concurrent: false });
  await bench.run(twoRounds(...["1", "2", "3"].map((x) => call("unsafe", x))), { tools: [unsafe] });
  assert.equal(most, 1);
});

Deno.test("with concurrent tools off every call waits for the one before", async () => {
  await using bench = await openRun();
  const order: string[] = [];
  const step = textTool("step", async (x) => {
    order.push(`start ${x}`);
    await Promise.resolve();
    order.push(`end ${x}`);
    return x;
  });
  await bench.run(twoRounds(call("step", "1"), call("step", "2")), { tools: [step], concurrentTools: false });
  assert.deepEqual(order, ["start 1", "end 1", "start 2", "end 2"]);
});

Deno.test("an unsafe call that waits for the lock ends with the stop", async () => {
  await using bench = await openRun();
  const stop = new AbortController();
  const running = Promise.withResolvers<void>();
  const hold = textTool("hold", () => (running.resolve(), new Promise<string>(() => {})), { concurrent: false });
  const run = bench.run(twoRounds(call("hold", "1"), call("hold", "2")), { tools: [hold], signal: stop.signal });
  await running.promise;
  stop.abort();
  assert.deepEqual((await run).of("tool").map((entry) => entry.data.status), ["interrupted", "interrupted"]);
});

Deno.test("a call's entry is stored as running before the tool runs", async () => {
  await using bench = await openRun();
  let status: unknown;
  const look = textTool("look", async () => {
    const entries = await bench.fixture.stored("C");
    const tool = entries.find((entry) => entry.kind === "tool");
    status = tool?.kind === "tool" && tool.data.status;
    return "looked";
  });
  await bench.run(twoRounds(call("look")), { tools: [look] });
  assert.equal(status, "running");
});

Deno.test("a long result is cut for the model and kept whole as a payload", async () => {
  await using bench = await openRun();
  const long = textTool("long", () => "ü".repeat(120_000));
  const ran = await bench.run(twoRounds(call("long")), { tools: [long] });
  const data = ran.of("tool")[0]!.data;
  assert.ok(data.result!.length < 51_000);
  assert.match(data.result!, /cut here: the result has 120000 characters/);
  assert.equal(data.result_bytes, 240_000);
  const blob = await bench.fixture.storage.blobs.get(data.result_ref!.slice("/payloads/".length));
  assert.equal(blob?.bytes.byteLength, 240_000);
});

Deno.test("pictures of a result are stored once and sent to a model that sees them", async () => {
  await using bench = await openRun();
  const data = new Uint8Array([1, 2, 3]);
  const draw = textTool("draw", () => ({ text: "drawn", images: [{ media_type: "image/png", data, name: "a.png" }] }));
  const model = scriptedModel([{ tool_calls: [call("draw")] }, { text: "ok" }], { images: true });
  const ran = await bench.run(model, { tools: [draw] });
  assert.equal(ran.of("tool")[0]?.data.images?.[0]?.name, "a.png");
  const sent = model.requests[1]?.messages.at(-1);
  assert.deepEqual(sent?.role === "tool" && sent.images?.[0]?.data, data);
});

Deno.test("JSON results are sent as their text", async () => {
  await using bench = await openRun();
  const ran = await bench.run(twoRounds(call("json")), { tools: [textTool("json", () => ({ a: [1, 2] }))] });
  assert.equal(ran.of("tool")[0]?.data.result, '{"a":[1,2]}');
});

Deno.test("a provider's replay data of a call is kept with it", async () => {
  await using bench = await openRun();
  const signature = { provider: "google", data: "opaque" };
  const ran = await bench.run(
    handModel(async function* (n) {
      yield { type: "request", url: "", body: "{}" } as const;
      if (n === 0) {
        yield { type: "tool_start", call: "1", name: "echo" } as const;
        yield { type: "signature", of: "tool_call", call: "1", signature } as const;
        yield { type: "tool_call", call: "1", name: "echo", arguments: { x: "a" } } as const;
      } else yield { type: "text", text: "ok" } as const;
      yield { type: "stop", reason: "end", provider_reason: "stop" } as const;
    }),
    { tools: [textTool("echo", (x) => x)] },
  );
  assert.deepEqual(ran.of("tool")[0]?.data.signature, signature);
});
