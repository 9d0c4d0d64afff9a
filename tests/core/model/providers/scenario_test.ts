/**
 * Every scenario against every protocol: one table, five real servers.
 */
import assert from "node:assert/strict";
import type { Answer } from "./rig.ts";
import { clientFor, kindOf, question, take, TOOLS } from "./rig.ts";
import { type FakeProvider, type Protocol, PROTOCOLS, type Reply, startFakeProvider } from "../../../providers/mod.ts";

interface Scenario {
  readonly name: string;
  readonly script: readonly Reply[];
  readonly check: (answer: Answer, protocol: Protocol, provider: FakeProvider) => void;
  readonly stallTimeoutMs?: number;
  /** Protocols that cannot say this. */
  readonly except?: readonly Protocol[];
}

const WHOLE_CALLS: readonly Protocol[] = ["ollama", "google"];
const TWO_CALLS: Reply = {
  text: "Let me see.",
  toolCalls: [
    { name: "now", arguments: { zone: "Pacific/Honolulu" } },
    { name: "calculate", arguments: { expression: "6 * 7", note: "ʻOkina {}" } },
  ],
};

const SCENARIOS: readonly Scenario[] = [
  {
    name: "an answer streams as text with its usage and a normal end",
    script: [{ text: "Aloha, this is the answer.", usage: { input: 20, output: 9 } }],
    check: (answer) => {
      assert.equal(answer.error, undefined);
      assert.equal(answer.text, "Aloha, this is the answer.");
      assert.equal(answer.stop, "end");
      assert.equal(answer.usage?.input_tokens, 20);
      assert.equal(answer.usage?.output_tokens, 9);
      assert.ok((answer.providerReason ?? "").length > 0);
    },
  },
  {
    name: "the request event is first, once, and the very bytes the server received",
    script: [{ text: "Yes" }],
    check: (answer, _, provider) => {
      const [first, ...rest] = answer.events;
      assert.equal(first?.type, "request");
      assert.ok(rest.every((event) => event.type !== "request"));
      assert.ok(first?.type === "request" && first.body === provider.requests[0]?.body);
      assert.ok(first?.type === "request" && first.url.startsWith(provider.url));
    },
  },
  {
    name: "thinking comes apart from the answer and before it",
    script: [{ thinking: "First I wonder.", text: "Then I say." }],
    check: (answer) => {
      assert.equal(answer.thinking, "First I wonder.");
      assert.equal(answer.text, "Then I say.");
      const order = answer.events.map((event) => event.type).filter((type) => type === "thinking" || type === "text");
      assert.deepEqual([...new Set(order)], ["thinking", "text"]);
    },
  },
  {
    name: "two parallel calls with alternating argument pieces are told apart",
    script: [TWO_CALLS],
    check: (answer) => {
      assert.deepEqual(answer.calls, [
        { name: "now", arguments: { zone: "Pacific/Honolulu" } },
        { name: "calculate", arguments: { expression: "6 * 7", note: "ʻOkina {}" } },
      ]);
      assert.equal(answer.text, "Let me see.");
      assert.equal(answer.stop, "tool_calls");
      const ids = answer.events.flatMap((event) => event.type === "tool_start" ? [event.call] : []);
      assert.equal(new Set(ids).size, 2);
    },
  },
  {
    name: "each call's argument pieces add up to its arguments and lie between its start and its end",
    script: [TWO_CALLS],
    check: (answer) => {
      for (const start of answer.events.filter((event) => event.type === "tool_start")) {
        const own = answer.events.filter((event) => "call" in event && event.call === start.call);
        assert.equal(own[0]?.type, "tool_start");
        const end = own.at(-1);
        assert.ok(end?.type === "tool_call");
        const text = own.map((event) => event.type === "tool_arguments" ? event.text : "").join("");
        assert.deepEqual(JSON.parse(text), end.arguments);
      }
    },
  },
  {
    name: "a call without arguments gets an empty object",
    script: [{ toolCalls: [{ name: "now", raw: "" }] }],
    check: (answer) => assert.deepEqual(answer.calls, [{ name: "now", arguments: {} }]),
    except: ["google"],
  },
  {
    name: "calls without ids get unique ones",
    script: [{ toolCalls: [{ id: null, name: "now" }, { id: null, name: "now" }], sequential: true }],
    check: (answer) => {
      const ids = answer.events.flatMap((event) => event.type === "tool_call" ? [event.call] : []);
      assert.equal(ids.length, 2);
      assert.equal(new Set(ids).size, 2);
      assert.ok(ids.every((id) => id !== ""));
    },
  },
  {
    name: "calls with the same id get unique ones",
    script: [{ toolCalls: [{ id: "x", name: "now" }, { id: "x", name: "calculate" }], sequential: true }],
    check: (answer) => {
      const ids = answer.events.flatMap((event) => event.type === "tool_call" ? [event.call] : []);
      assert.equal(new Set(ids).size, 2);
      assert.equal(ids[0], "x");
    },
  },
  {
    name: "arguments that are not JSON are malformed, not dropped",
    script: [{ toolCalls: [{ name: "calculate", raw: '{"expression": 6 times 7}' }] }],
    check: (answer) => {
      assert.equal(answer.calls[0]?.malformed, '{"expression": 6 times 7}');
      assert.equal(answer.stop, "tool_calls");
    },
    except: ["google"],
  },
  {
    name: "a call cut off by the length is malformed, and the stop says length",
    script: [{ finish: "length", toolCalls: [{ name: "calculate", raw: '{"expression": "6 *' }] }],
    check: (answer) => {
      assert.deepEqual(answer.calls, [{
        name: "calculate",
        arguments: '{"expression": "6 *',
        malformed: '{"expression": "6 *',
      }]);
      assert.equal(answer.stop, "length");
      assert.deepEqual(answer.events.slice(-2).map((event) => event.type), ["usage", "stop"]);
    },
    except: WHOLE_CALLS,
  },
  {
    name: "a call cut off before its first argument is malformed with an empty text",
    script: [{ finish: "length", toolCalls: [{ name: "now", raw: "" }] }],
    check: (answer) => assert.deepEqual(answer.calls, [{ name: "now", arguments: "", malformed: "" }]),
    except: WHOLE_CALLS,
  },
  {
    name: "a whole call before the one that was cut stays good",
    script: [{
      finish: "length",
      sequential: true,
      toolCalls: [{ name: "calculate", arguments: { expression: "1" } }, { name: "calculate", raw: '{"expr' }],
    }],
    check: (answer) => {
      assert.deepEqual(answer.calls.map((call) => call.malformed), [undefined, '{"expr']);
      assert.equal(answer.stop, "length");
    },
    except: WHOLE_CALLS,
  },
  {
    name: "an answer cut off by the length is not a normal end",
    script: [{ text: "It begins", finish: "length" }],
    check: (answer) => {
      assert.equal(answer.stop, "length");
      assert.equal(answer.error, undefined);
    },
  },
  {
    name: "usage counts cached input and thinking inside the totals",
    script: [{ text: "Yes", usage: { input: 100, output: 30, cached: 80, reasoning: 12 } }],
    check: (answer) => {
      assert.equal(answer.usage?.input_tokens, 100);
      assert.equal(answer.usage?.output_tokens, 30);
      assert.equal(answer.usage?.cached_tokens, 80);
      assert.equal(answer.usage?.reasoning_tokens, 12);
    },
    except: ["ollama"],
  },
  {
    name: "no usage event comes when the provider reports none",
    script: [{ text: "Yes", usage: null }],
    check: (answer) => {
      assert.equal(answer.usage, undefined);
      assert.equal(answer.stop, "end");
    },
  },
  {
    name: "a refusal is an outcome of its own",
    script: [{ refusal: "I cannot help with that." }],
    check: (answer) => {
      assert.equal(answer.stop, "refusal");
      assert.equal(answer.refusal, "I cannot help with that.");
      assert.equal(answer.error, undefined);
    },
    except: ["ollama"],
  },
  {
    name: "a message that the provider blocks is a refusal",
    script: [{ blocked: true }],
    check: (answer) => {
      assert.equal(answer.stop, "refusal");
      assert.ok(answer.refusal.length > 0);
    },
    except: ["ollama"],
  },
  {
    name: "characters cut in the middle of their bytes arrive whole",
    script: [{ thinking: "考える 🤔", text: "Mālama pono, 世界 🌺 done", chunkBytes: 7 }],
    check: (answer) => {
      assert.equal(answer.text, "Mālama pono, 世界 🌺 done");
      assert.equal(answer.thinking, "考える 🤔");
    },
  },
  {
    name: "a slow drip arrives whole and does not count as a stall",
    script: [{ text: ["a", "b", "c", "d", "e", "f"], delayMs: 60 }],
    stallTimeoutMs: 5000,
    check: (answer) => {
      assert.equal(answer.text, "abcdef");
      assert.equal(answer.stop, "end");
    },
  },
  {
    name: "a last frame without its end mark still counts",
    script: [{ text: "Yes", unterminated: true }],
    check: (answer) => assert.equal(answer.stop, "end"),
  },
  {
    name: "a clean end without a finish is incomplete, never a normal end",
    script: [{ text: "It begins", fault: "eof" }],
    check: (answer) => {
      assert.equal(kindOf(answer.error), "incomplete");
      assert.equal(answer.text, "It begins");
      assert.equal(answer.stop, undefined);
    },
  },
  {
    name: "a connection that breaks in the middle is incomplete",
    script: [{ text: "It begins", fault: "reset" }],
    check: (answer) => {
      assert.equal(kindOf(answer.error), "incomplete");
      assert.equal(answer.text, "It begins");
      assert.match(String(answer.error), /broke in the middle/);
    },
  },
  {
    name: "a malformed frame is incomplete, after what came before it",
    script: [{ text: "It begins", fault: "malformed" }],
    check: (answer) => {
      assert.equal(kindOf(answer.error), "incomplete");
      assert.equal(answer.text, "It begins");
    },
  },
  {
    name: "a stall in the middle is stalled",
    script: [{ text: "It begins", fault: "stall" }],
    stallTimeoutMs: 300,
    check: (answer) => {
      assert.equal(kindOf(answer.error), "stalled");
      assert.equal(answer.text, "It begins");
    },
  },
  {
    name: "an overload inside the stream before any token is tried again",
    script: [{ fault: "overloaded" }, { text: "Now it goes" }],
    check: (answer, _, provider) => {
      assert.equal(answer.error, undefined);
      assert.equal(answer.text, "Now it goes");
      assert.equal(provider.requests.length, 2);
    },
  },
  {
    name: "an overload after the first token is an error, not a second answer",
    script: [{ text: "It begins", fault: "overloaded", faultAfter: 100 }, { text: "Never seen" }],
    check: (answer, _, provider) => {
      assert.ok(["rate_limited", "incomplete"].includes(kindOf(answer.error)));
      assert.equal(answer.text, "It begins");
      assert.equal(provider.requests.length, 1);
    },
  },
  {
    name: "a status 429 is tried again after the time it asks for",
    script: [
      { status: { code: 429, headers: { "retry-after": "0" } } },
      { status: { code: 429, headers: { "retry-after-ms": "2" } } },
      { text: "Now it goes" },
    ],
    check: (answer, _, provider) => {
      assert.equal(answer.text, "Now it goes");
      assert.equal(provider.requests.length, 3);
      assert.equal(new Set(provider.requests.map((request) => request.body)).size, 1);
    },
  },
  {
    name: "a refused request is not tried again and says why",
    script: [{ status: { code: 400, message: "temperature is out of range" } }],
    check: (answer, _, provider) => {
      assert.equal(kindOf(answer.error), "rejected");
      assert.match(String(answer.error), /temperature is out of range/);
      assert.equal(provider.requests.length, 1);
    },
  },
];

for (const scenario of SCENARIOS) {
  for (const protocol of PROTOCOLS.filter((each) => !scenario.except?.includes(each))) {
    Deno.test(`${protocol}: ${scenario.name}`, async () => {
      await using provider = startFakeProvider(protocol, scenario.script);
      const client = clientFor(provider.modelString, { stallTimeoutMs: scenario.stallTimeoutMs ?? 10_000 });
      const answer = await take(client);
      scenario.check(answer, protocol, provider);
    });
  }
}

for (const protocol of PROTOCOLS) {
  Deno.test(`${protocol}: a question with two parallel calls, then an answer, is one well-formed conversation`, async () => {
    await using provider = startFakeProvider(protocol, [
      { ...TWO_CALLS, thinking: "I need two tools.", signature: "opaque" },
      { text: "It is noon, and the answer is 42." },
    ]);
    const client = clientFor(provider.modelString);
    const first = await take(client);
    const signature = first.events.find((event) => event.type === "signature" && event.of === "thinking");
    const calls = first.events.filter((event) => event.type === "tool_call");
    const second = await take(
      client,
      question({
        messages: [
          { role: "user", text: "What is it?" },
          {
            role: "assistant",
            parts: [
              {
                type: "thinking",
                text: first.thinking,
                ...(signature?.type === "signature" ? { signature: signature.signature } : {}),
              },
              { type: "text", text: first.text },
              ...calls.map(({ call, name, arguments: given }) => ({
                type: "tool_call" as const,
                call,
                name,
                arguments: given,
              })),
            ],
          },
          ...calls.map(({ call, name }) => ({ role: "tool" as const, call, name, result: `result of ${name}` })),
        ],
      }),
    );
    assert.equal(second.error, undefined);
    assert.equal(second.text, "It is noon, and the answer is 42.");
    const body = provider.requests[1]?.body ?? "";
    assert.match(body, /result of now/);
    assert.ok(body.includes("opaque") === ["openai-responses", "anthropic", "google"].includes(protocol));
  });

  Deno.test(`${protocol}: a call is given out as soon as its arguments are complete, before the answer ends`, async () => {
    const seen = Promise.withResolvers<void>();
    await using provider = startFakeProvider(protocol, [{
      sequential: true,
      toolCalls: [{ name: "calculate", arguments: { expression: "1+1" } }, { name: "now", arguments: { a: 1 } }],
      // The second call's arguments wait until the first call was seen; a client that keeps it back would wait for ever.
      gate: (frame) => frame >= GATED[protocol] ? seen.promise : undefined,
    }]);
    const client = clientFor(provider.modelString, { stallTimeoutMs: 5000, attempts: 1 });
    const answer = await take(client, question(), AbortSignal.timeout(20_000), (event) => {
      if (event.type === "tool_call") seen.resolve();
    });
    assert.equal(answer.error, undefined);
    assert.deepEqual(answer.calls.map((call) => call.name), ["calculate", "now"]);
  });

  Deno.test(`${protocol}: many streams at once do not mix`, async () => {
    await using provider = startFakeProvider(protocol, (request) => {
      const asked = /question (\d+)/.exec(request.body)?.[1];
      return { thinking: `thinking ${asked}`, text: `answer ${asked}`, toolCalls: [{ name: "now" }] };
    });
    const client = clientFor(provider.modelString);
    const answers = await Promise.all(
      Array.from(
        { length: 12 },
        (_, n) => take(client, question({ messages: [{ role: "user", text: `question ${n}` }] })),
      ),
    );
    for (const [n, answer] of answers.entries()) {
      assert.equal(answer.text, `answer ${n}`);
      assert.equal(answer.thinking, `thinking ${n}`);
      assert.equal(answer.calls.length, 1);
    }
  });
}

/** The first frame that waits: the second call's arguments where pieces tell a call's end, else the second call. */
const GATED: Readonly<Record<Protocol, number>> = {
  // role, comment, start, three pieces, start of the second
  "openai-chat": 7,
  // created, added, three pieces, arguments done, item done
  "openai-responses": 7,
  // message, ping, start, three pieces, stop
  "anthropic": 7,
  "ollama": 1,
  "google": 1,
};

Deno.test("the tools of a request reach every protocol in the order given", async () => {
  for (const protocol of PROTOCOLS) {
    await using provider = startFakeProvider(protocol, [{ text: "Yes" }]);
    await take(clientFor(provider.modelString));
    const body = provider.requests[0]?.body ?? "";
    const places = TOOLS.map((tool) => body.indexOf(`"${tool.name}"`));
    assert.ok(places.every((place) => place > 0), protocol);
    assert.deepEqual(places, places.toSorted((a, b) => a - b), protocol);
  }
});
