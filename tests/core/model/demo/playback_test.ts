import assert from "node:assert/strict";
import fc from "fast-check";
import { Incomplete, type ModelEvent, type ModelRequest } from "../../../../core/model/mod.ts";
import { type Pace, type Part, type Play, playBack, words } from "../../../../core/model/demo/playback.ts";
import { pause } from "../../../../core/model/pause.ts";

const REQUEST: ModelRequest = { system: "", messages: [{ role: "user", text: "Hello" }], tools: [] };

/** A clock that only moves when it is waited for, and notes how long. */
function fakePace(wordsPerSecond: number, lateness = 0): Pace & { readonly waits: number[] } {
  let time = 0;
  const waits: number[] = [];
  return {
    wordsPerSecond,
    waits,
    now: () => time,
    wait(ms, signal) {
      signal.throwIfAborted();
      waits.push(ms);
      time += ms + lateness;
      return Promise.resolve();
    },
  };
}

async function collect(play: Play, pace = fakePace(0), request = REQUEST): Promise<readonly ModelEvent[]> {
  return await Array.fromAsync(playBack("demo:test", request, play, pace, new AbortController().signal));
}

const text = (events: readonly ModelEvent[], type: "text" | "thinking" | "refusal") =>
  events.map((event) => event.type === type ? event.text : "").join("");

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constantFrom("text" as const, "thinking" as const), text: fc.string() }),
  fc.record({
    type: fc.constant("calls" as const),
    calls: fc.array(
      fc.record({ name: fc.constantFrom("a", "b"), arguments: fc.dictionary(fc.string(), fc.jsonValue()) }),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    interleaved: fc.boolean(),
  }),
);

Deno.test("words() joined are the text they came from", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (given) => assert.equal(words(given).join(""), given)));
  assert.deepEqual(words(" one two\n\nthree"), [" ", "one ", "two\n\n", "three"]);
});

Deno.test("playBack() begins with the request and ends with one stop, whatever is played", async () => {
  await fc.assert(fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
    const events = await collect({ parts });
    assert.equal(events[0]?.type, "request");
    assert.deepEqual(events.filter((event) => event.type === "stop").length, 1);
    assert.equal(events.at(-1)?.type, "stop");
    assert.equal(events.at(-2)?.type, "usage");
  }));
});

Deno.test("playBack() plays every text whole and every call's arguments in pieces that join to them", async () => {
  await fc.assert(fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
    const events = await collect({ parts });
    for (const type of ["text", "thinking"] as const) {
      assert.equal(text(events, type), parts.map((each) => each.type === type ? each.text : "").join(""));
    }
    const pieces = new Map<string, string>();
    for (const event of events) {
      if (event.type === "tool_start") {
        assert.ok(!pieces.has(event.call), "an id is used once");
        pieces.set(event.call, "");
      }
      if (event.type === "tool_arguments") {
        assert.ok(event.text.length <= 12);
        pieces.set(event.call, `${pieces.get(event.call)}${event.text}`);
      }
      if (event.type === "tool_call") assert.equal(pieces.get(event.call), JSON.stringify(event.arguments));
    }
    const made = parts.flatMap((each) => each.type === "calls" ? each.calls : []);
    assert.equal(pieces.size, made.length);
  }));
});

Deno.test("playBack() interleaves the pieces of parallel calls and completes each as soon as it can", async () => {
  const calls = [{ name: "long", arguments: { text: "x".repeat(30) } }, { name: "short", arguments: {} }];
  const events = await collect({ parts: [{ type: "calls", calls, interleaved: true }] });
  const order = events.map((event) => "call" in event ? `${event.type}:${event.call}` : event.type);
  assert.ok(order.indexOf("tool_call:demo_2") < order.indexOf("tool_call:demo_1"));
  assert.ok(order.indexOf("tool_start:demo_2") < order.indexOf("tool_arguments:demo_1"));
});

Deno.test("playBack() numbers calls on from those the conversation has, so ids do not repeat", async () => {
  const request: ModelRequest = {
    ...REQUEST,
    messages: [
      { role: "user", text: "x" },
      { role: "assistant", parts: [{ type: "tool_call", call: "demo_1", name: "a", arguments: {} }] },
      { role: "tool", call: "demo_1", name: "a", result: "ok" },
    ],
  };
  const events = await collect(
    { parts: [{ type: "calls", calls: [{ name: "a", arguments: {} }] }] },
    fakePace(0),
    request,
  );
  assert.ok(events.some((event) => event.type === "tool_call" && event.call === "demo_2"));
});

Deno.test("playBack() says why it stopped", async () => {
  const reasonOf = async (play: Play) => (await collect(play)).find((event) => event.type === "stop")?.reason;
  assert.equal(await reasonOf({ parts: [{ type: "text", text: "x" }] }), "end");
  assert.equal(await reasonOf({ parts: [{ type: "calls", calls: [{ name: "a", arguments: {} }] }] }), "tool_calls");
  assert.equal(await reasonOf({ parts: [{ type: "refusal", text: "no" }] }), "refusal");
  assert.equal(await reasonOf({ parts: [{ type: "text", text: "x" }], stop: "length" }), "length");
});

Deno.test("playBack() sends arguments that are not JSON as malformed", async () => {
  const calls = [{ name: "a", arguments: {}, malformed: '{"half": "of' }];
  const events = await collect({ parts: [{ type: "calls", calls }] });
  const call = events.find((event) => event.type === "tool_call");
  assert.equal(call?.malformed, '{"half": "of');
});

Deno.test("playBack() estimates usage, reports what it is told, or nothing", async () => {
  const usageOf = async (play: Play) => (await collect(play)).find((event) => event.type === "usage")?.usage;
  const parts: readonly Part[] = [{ type: "thinking", text: "abcdefgh" }, { type: "text", text: "abcd" }];
  const estimated = await usageOf({ parts });
  assert.deepEqual([estimated?.output_tokens, estimated?.reasoning_tokens], [3, 2]);
  assert.ok((estimated?.input_tokens ?? 0) > 0);
  const told = { input_tokens: 1, output_tokens: 2, cached_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 };
  assert.deepEqual(await usageOf({ parts, usage: told }), told);
  assert.equal(await usageOf({ parts, usage: null }), undefined);
});

Deno.test("playBack() keeps its pace by the clock: a late word does not delay those after it", async () => {
  const parts: readonly Part[] = [{ type: "text", text: "a b c d e" }];
  const even = fakePace(10);
  await collect({ parts }, even);
  assert.deepEqual(even.waits, [100, 100, 100, 100, 100]);
  const late = fakePace(10, 50);
  await collect({ parts }, late);
  assert.deepEqual(late.waits, [100, 50, 50, 50, 50]);
});

Deno.test("playBack() at no pace waits only to let others run", async () => {
  const pace = fakePace(0);
  await collect({ parts: [{ type: "text", text: "w ".repeat(200) }] }, pace);
  assert.deepEqual(pace.waits, [0, 0, 0]);
});

Deno.test("playBack() resumes its pace after a wait", async () => {
  const pace = fakePace(10);
  await collect(
    { parts: [{ type: "text", text: "a" }, { type: "wait", ms: 5000 }, { type: "text", text: "b" }] },
    pace,
  );
  assert.deepEqual(pace.waits, [100, 5000, 100]);
});

Deno.test("playBack() fails as it is told to, after what came before", async () => {
  const error = new Incomplete("cut", "demo");
  const seen: string[] = [];
  await assert.rejects(async () => {
    const play: Play = { parts: [{ type: "text", text: "half" }, { type: "fail", error }] };
    for await (const event of playBack("demo:test", REQUEST, play, fakePace(0), new AbortController().signal)) {
      seen.push(event.type);
    }
  }, (thrown) => thrown === error);
  assert.deepEqual(seen, ["request", "text"]);
});

Deno.test("playBack() gives nothing more once the signal aborts, at any event", async () => {
  const calls = [{ name: "a", arguments: { x: "y".repeat(40) } }, { name: "b", arguments: {} }];
  const play: Play = {
    parts: [{ type: "thinking", text: "a b" }, { type: "text", text: "c d" }, {
      type: "calls",
      calls,
      interleaved: true,
    }],
  };
  const total = (await collect(play)).length;
  for (let stopAt = 1; stopAt < total; stopAt++) {
    const stop = new AbortController();
    let seen = 0;
    await assert.rejects(async () => {
      for await (const _ of playBack("demo:test", REQUEST, play, fakePace(0), stop.signal)) {
        if (++seen === stopAt) stop.abort(new Error("stopped"));
      }
    }, /stopped/);
    assert.equal(seen, stopAt, `stopped at event ${stopAt}`);
  }
});

Deno.test("playBack() ends a long wait at once when it is stopped", async () => {
  const stop = new AbortController();
  const pace: Pace = { wordsPerSecond: 0, now: () => 0, wait: pause };
  const play: Play = { parts: [{ type: "text", text: "x" }, { type: "wait", ms: 600_000 }] };
  await assert.rejects(async () => {
    for await (const event of playBack("demo:test", REQUEST, play, pace, stop.signal)) {
      if (event.type === "text") queueMicrotask(() => stop.abort(new Error("stopped")));
    }
  }, /stopped/);
});

Deno.test("playBack() closes cleanly when its reader breaks off", async () => {
  const play: Play = { parts: [{ type: "text", text: "a b c" }] };
  let seen = 0;
  for await (const _ of playBack("demo:test", REQUEST, play, fakePace(0), new AbortController().signal)) {
    if (++seen === 2) break;
  }
  assert.equal(seen, 2);
});

Deno.test("playBack() puts the growing part of the request last, and pictures by their size", async () => {
  const first: ModelRequest = {
    ...REQUEST,
    cacheKey: "secret-of-no-interest",
    messages: [{ role: "user", text: "one", images: [{ media_type: "image/png", data: new Uint8Array(7) }] }],
  };
  const second: ModelRequest = {
    ...first,
    messages: [...first.messages, { role: "assistant", parts: [{ type: "text", text: "two" }] }, {
      role: "user",
      text: "3",
    }],
  };
  const bodyOf = async (request: ModelRequest) => {
    const [event] = await collect({ parts: [] }, fakePace(0), request);
    return event?.type === "request" ? event.body : "";
  };
  const [before, after] = [await bodyOf(first), await bodyOf(second)];
  assert.ok(after.startsWith(before.replace(/\]\}$/, "")));
  assert.match(before, /"7 bytes"/);
  assert.doesNotMatch(before, /secret/);
});
