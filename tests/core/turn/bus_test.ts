import assert from "node:assert/strict";
import fc from "fast-check";
import { labelOf, matches } from "../../../core/turn/addresses.ts";
import { type BusMessage, EVERYONE, MessageBus, PERSON } from "../../../core/turn/bus.ts";

let ids = 0;
const fromPerson = (text: string, token?: string): BusMessage => ({
  id: `p${++ids}`,
  text,
  sender: PERSON,
  to: "assistant",
  ...(token === undefined ? {} : { token }),
});
const fromAgent = (text: string, to: string, sender = "coder#1"): BusMessage => ({ id: `a${++ids}`, text, sender, to });
const texts = (messages: readonly BusMessage[]) => messages.map(({ text }) => text);

Deno.test("selectors: everyone, one address, or a label that covers all its runs and no other", () => {
  assert.ok(matches(EVERYONE, "researcher#1"));
  assert.ok(matches(EVERYONE, null), "a run without a label hears everyone alone");
  assert.ok(matches("researcher#1", "researcher#1"));
  assert.ok(!matches("researcher#1", "researcher#2"));
  assert.ok(matches("researcher", "researcher#2"));
  assert.ok(!matches("research", "researcher#1"), "matching splits on the ordinal");
  assert.ok(!matches("researcher", null));
  assert.ok(matches("assistant", "assistant"), "an entry agent's address has no ordinal");
  assert.equal(labelOf("a#b#12"), "a#b");
});

Deno.test("two workers sharing a label get distinct addresses, counted per label and not globally", () => {
  const bus = new MessageBus();
  bus.openEntry("assistant");
  const opened = ["researcher", "coder", "researcher", "subagent-researcher"].map((label) => bus.openWorker(label));
  assert.deepEqual(opened.map(({ address }) => address), ["researcher#1", "coder#1", "researcher#2", "researcher#3"]);
  bus.openEntry("assistant");
  assert.deepEqual(bus.roster, ["assistant", "researcher#1", "coder#1", "researcher#2", "researcher#3"]);
  assert.equal(bus.openWorker(null).address, null);
  assert.equal(bus.roster.length, 5);
});

Deno.test("the entry agent's readers share one cursor; a worker's begins at the first message", () => {
  const bus = new MessageBus();
  const first = bus.openEntry("assistant");
  bus.send(fromAgent("to all", EVERYONE));
  bus.send(fromPerson("hello"));
  assert.deepEqual(texts(first.drain()), ["to all", "hello"]);
  assert.deepEqual(texts(bus.openEntry("assistant").drain()), [], "what one of them read no other reads");
  const worker = bus.openWorker("coder");
  bus.send(fromAgent("later", "coder"));
  const read = worker.drain();
  assert.deepEqual(read.map(({ text, predates }) => [text, predates]), [["to all", true], ["later", false]]);
  assert.deepEqual(worker.drain(), []);
});

Deno.test("the person's words are for the entry agent alone, and never predate anyone", () => {
  const bus = new MessageBus();
  bus.send(fromPerson("mine"));
  assert.deepEqual(bus.openWorker("assistant").drain(), []);
  assert.deepEqual(bus.openEntry("assistant").drain().map(({ text, predates }) => [text, predates]), [["mine", false]]);
});

Deno.test("waits tells whether something is there for that reader, and drain takes it", () => {
  const bus = new MessageBus();
  const [entry, coder] = [bus.openEntry("assistant"), bus.openWorker("coder")];
  assert.ok(!entry.waits && !coder.waits);
  bus.send(fromAgent("x", "coder"));
  assert.ok(!entry.waits && coder.waits);
  coder.drain();
  assert.ok(!coder.waits);
});

Deno.test("close() gives the person's unread messages and the agents' that nobody took, whole, and once", () => {
  const bus = new MessageBus();
  const entry = bus.openEntry("assistant");
  bus.send(fromPerson("read"));
  entry.drain();
  const unread = fromPerson("unread", "T");
  const lost = fromAgent("to nobody", "researcher#7");
  bus.send(unread);
  bus.send(lost);
  assert.deepEqual(bus.close(), { unread: [unread], undelivered: [lost] });
  assert.deepEqual(bus.close(), { unread: [], undelivered: [] });
  assert.ok(!bus.isOpen);
  assert.equal(bus.send(fromPerson("late")), false);
});

Deno.test("a message every cursor passed over is reported rather than lost", () => {
  const bus = new MessageBus();
  const [entry, coder] = [bus.openEntry("assistant"), bus.openWorker("coder")];
  bus.send(fromAgent("to nobody", "tester"));
  entry.drain();
  coder.drain();
  assert.deepEqual(texts(bus.close().undelivered), ["to nobody"]);
});

Deno.test("a bare label one of two readers drained is delivered, not reported", () => {
  const bus = new MessageBus();
  const [one] = [bus.openWorker("researcher"), bus.openWorker("researcher")];
  bus.send(fromAgent("to the label", "researcher"));
  one.drain();
  assert.deepEqual(bus.close().undelivered, []);
});

Deno.test("peek() ignores an agent's message: the notice it feeds is about the person's", () => {
  const bus = new MessageBus();
  bus.send(fromAgent("from an agent", "assistant"));
  bus.send(fromPerson("from me"));
  assert.deepEqual(texts(bus.peek()), ["from me"]);
  assert.deepEqual(texts(bus.peek()), ["from me"], "looking takes nothing");
});

Deno.test("what was put first is read before all others, the last put first of all", () => {
  const bus = new MessageBus();
  const messages = ["a", "b", "c"].map((text) => fromPerson(text));
  for (const message of messages) bus.send(message);
  assert.ok(bus.putFirst(messages[1]!.id));
  bus.send(fromPerson("d"), { first: true });
  assert.deepEqual(texts(bus.peek()), ["d", "b", "a", "c"]);
  assert.deepEqual(texts(bus.openEntry("assistant").drain()), ["d", "b", "a", "c"]);
  assert.equal(bus.putFirst(messages[1]!.id), false, "it was read");
});

Deno.test("an unread message can be changed or taken back, and put back; a read one cannot", () => {
  const bus = new MessageBus();
  const [one, two, three] = ["one", "two", "three"].map((text) => fromPerson(text));
  for (const message of [one!, two!, three!]) bus.send(message);
  assert.ok(bus.replace(one!.id, "ONE"));
  assert.ok(bus.withdraw(two!.id) && !bus.withdraw(two!.id));
  assert.ok(bus.withdraw(three!.id) && bus.restore(three!.id));
  assert.deepEqual(texts(bus.openEntry("assistant").drain()), ["ONE", "three"]);
  assert.ok(!bus.replace(one!.id, "x") && !bus.withdraw(one!.id) && !bus.withdraw("nothing"));
  assert.deepEqual(bus.close().unread, []);
  assert.ok(!bus.restore(two!.id));
});

Deno.test("an agent's message cannot be changed by the person", () => {
  const bus = new MessageBus();
  const message = fromAgent("x", "assistant");
  bus.send(message);
  assert.ok(!bus.replace(message.id, "y") && !bus.withdraw(message.id) && !bus.putFirst(message.id));
});

Deno.test("one that was drained and could not be delivered counts as never read", () => {
  const bus = new MessageBus();
  const message = fromPerson("x");
  bus.send(message);
  bus.openEntry("assistant").drain();
  bus.giveBack(message.id);
  assert.deepEqual(bus.close().unread, [message]);
});

Deno.test("property: every message is read at most once per reader it is for, in order, or is left over", () => {
  const addressees = fc.constantFrom(
    EVERYONE,
    "assistant",
    "coder",
    "coder#1",
    "coder#2",
    "tester",
    "tester#1",
    "nobody",
  );
  const step = fc.oneof(
    fc.record({ do: fc.constant("person" as const) }),
    fc.record({ do: fc.constant("agent" as const), to: addressees }),
    fc.record({ do: fc.constant("open" as const), label: fc.constantFrom("coder", "tester", null) }),
    fc.record({ do: fc.constant("drain" as const), reader: fc.nat(8) }),
  );
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const bus = new MessageBus();
    const readers = [bus.openEntry("assistant")];
    const heard: string[][] = [[]];
    const sent: BusMessage[] = [];
    steps.forEach((each, index) => {
      switch (each.do) {
        case "person":
        case "agent": {
          const message = each.do === "person"
            ? { id: `${index}`, text: `${index}`, sender: PERSON, to: "assistant" }
            : { id: `${index}`, text: `${index}`, sender: "coder#1", to: each.to };
          assert.ok(bus.send(message));
          sent.push(message);
          return;
        }
        case "open":
          readers.push(bus.openWorker(each.label));
          return void heard.push([]);
        case "drain": {
          const at = each.reader % readers.length;
          return void heard[at]!.push(...readers[at]!.drain().map(({ id }) => id));
        }
      }
    });
    const { unread, undelivered } = bus.close();
    const read = new Set(heard.flat());
    for (const [at, mine] of heard.entries()) {
      const isFor = ({ sender, to }: BusMessage) => sender === PERSON ? at === 0 : matches(to, readers[at]!.address);
      assert.deepEqual(mine, sent.filter(isFor).map(({ id }) => id).slice(0, mine.length), "in order, none left out");
    }
    const left = [...unread, ...undelivered].map(({ id }) => id);
    assert.deepEqual(new Set([...read, ...left]), new Set(sent.map(({ id }) => id)), "none is lost");
    assert.ok(left.every((id) => !read.has(id)), "none is both");
    assert.ok(unread.every(({ sender }) => sender === PERSON) && undelivered.every(({ sender }) => sender !== PERSON));
  }));
});
