import assert from "node:assert/strict";
import fc from "fast-check";
import { marked } from "marked";
import type { Conversation, Entry, EntryData, EntryKind, PathTurn, Usage } from "../../../../core/log/entry.ts";
import {
  foldMarkdown,
  looseBefore,
  markdownHead,
  markdownLoose,
  markdownTurn,
} from "../../../../core/log/folds/markdown.ts";
import { foldEntries, looseEntries } from "../../../../core/log/folds/transcript.ts";
import { CONVERSATION, entry, turn } from "./entries.ts";

const conversation: Conversation = {
  id: CONVERSATION,
  title: "Tides & *times*",
  agent: "assistant",
  model: null,
  head: "t2",
  running: false,
  pinned: false,
  unread: false,
  task: null,
  graph: null,
  origin: null,
  turns: 3,
  created_at: "2026-11-30T08:00:00.000Z",
  updated_at: "2026-11-30T08:05:00.000Z",
};

const usage: Usage = {
  calls: 2,
  reported_calls: 2,
  input_tokens: 8412,
  output_tokens: 906,
  cached_tokens: 8000,
  reasoning_tokens: 0,
  model_seconds: 1,
  wall_seconds: 14.2,
  cost: 0.0123,
  models: ["anthropic:claude-opus-5"],
  by_agent: { assistant: { calls: 2, input_tokens: 8412, output_tokens: 906 } },
};

const image = { ref: "/images/" + "a".repeat(64), name: "harbour [1].png", media_type: "image/png", bytes: 3 };

const PATH: readonly PathTurn[] = [
  turn("t1", { usage, thinking: "high", model: "anthropic:claude-opus-5" }),
  turn("t2", { n: 2, parent: "t1", status: "failed", failure: "The model did not answer", siblings: ["t2", "t3"] }),
];

const LONG = "0123456789".repeat(500);

const ENTRIES: readonly Entry[] = [
  entry(1, "user", { text: "When is low water?\n\n```\nHoek", images: [image], from: "person" }),
  entry(2, "thinking", { text: "Look it up.\n```\nthen say" }),
  entry(3, "text", { text: "I will *look*:\n\n1. a\n   ```sh\n   ls\n   ```" }),
  entry(4, "tool", {
    call: "c1",
    name: "fetch_page",
    toolset: "web",
    arguments: { url: "https://example.org/```" },
    status: "done",
    result: "````\nLow water 11:31\n````",
    ms: 120,
    images: [image],
  }),
  entry(5, "approval", {
    entry: 4,
    agent: "assistant",
    tool: "fetch_page",
    arguments: {},
    decision: "allow",
    by: "person",
    reason: "fine",
  }),
  entry(6, "tool", {
    call: "c2",
    name: "read_file",
    toolset: "files",
    arguments: {},
    status: "failed",
    result: LONG,
    result_ref: "/payloads/" + "b".repeat(64),
    result_bytes: 61_234,
  }),
  entry(7, "run", { agent: "researcher", task: "Find the tide", status: "done", model: "demo:tour" }, { run: "r1" }),
  entry(8, "text", { text: "```\nnested" }, { run: "r1" }),
  entry(9, "round", { kind: "plain", model: "m", request_bytes: 1, ms: 1, stop_reason: "", error: "503" }, {
    run: "r1",
  }),
  entry(10, "user", { text: "Go on", images: [], from: "loop", injected: "continuation" }),
  entry(11, "inbox", { text: "And high?", from: "person", to: "assistant" }),
  entry(12, "text", { text: "Low water is at 11:31." }),
  entry(13, "notice", { text: "The model reached its limit of rounds", level: "info" }),
  entry(14, "notice", { text: "Of no turn", level: "warning" }, { turn: null }),
  entry(15, "user", { text: "Again", images: [], from: "task" }, { turn: "t2" }),
  entry(16, "compaction", { summary: "Tides.", upto: 3, tokens_before: 12_000, tokens_after: 900 }, { turn: "t2" }),
  entry(17, "round", { kind: "plain", model: "m", request_bytes: 1, ms: 1, stop_reason: "", error: "No answer" }, {
    turn: "t2",
  }),
  entry(18, "undelivered", { text: "Hello?", from: "person", to: "researcher" }, { turn: "t2" }),
];

const GOLDEN = `# Tides \\& \\*times\\*

- Conversation: \`${CONVERSATION}\`
- Created: 2026-11-30 09:00
- Updated: 2026-11-30 09:05
- Times: Europe/Berlin
- Agent: assistant
- Totals: 2 turns · 2 calls · 14.2 s · 8,412 in (8,000 cached) · 906 out · about $0.012 · usage of 1 turn not known
- Not here: 1 turn of other versions, which the JSONL export has

## Turn 1 (2026-11-30 09:00)

### You

When is low water?

\`\`\`
Hoek
\`\`\`

- [harbour \\[1\\].png](</images/${"a".repeat(64)}>)

### Answer

I will *look*:

1. a
   \`\`\`sh
   ls
   \`\`\`

### Tool call: \`fetch_page\`

Done, 0.1 s

Arguments:

\`\`\`\`json
{
  "url": "https://example.org/\`\`\`"
}
\`\`\`\`

Result:

\`\`\`\`\`
\`\`\`\`
Low water 11:31
\`\`\`\`
\`\`\`\`\`

- [harbour \\[1\\].png](</images/${"a".repeat(64)}>)

> **Decision:** you allowed \`fetch_page\`: fine

### Tool call: \`read_file\`

Failed

No arguments

Result:

\`\`\`
${LONG.slice(0, 4000)}
\`\`\`

Cut here: 4,000 characters of a text of 61,234 bytes. A full export has them all

### Sub-agent: researcher

Done · \`demo:tour\`

> **Task**
>
> Find the tide
>
> ### Answer
>
> \`\`\`
> nested
> \`\`\`
>
> > **A call failed:** 503

> **Continued**

### You, meanwhile

And high?

### Answer

Low water is at 11:31.

> **Notice:** The model reached its limit of rounds

Used: \`anthropic:claude-opus-5\` · thinking high · 2 calls · 14.2 s · 8,412 in (8,000 cached) · 906 out · about $0.012

Not counted here: the work of researcher

> **Notice, warning:** Of no turn

## Turn 2 (2026-11-30 09:00)

### From task

Again

> **Context:** what came before is sent to the model as a summary from here on (12,000 to 900 tokens)

> **Not delivered** from you to researcher: Hello?

> **Failed.** The model did not answer

> **A call failed:** No answer

Used: \`demo:tour\` · usage not recorded · version 1 of 2
`;

Deno.test("foldMarkdown() writes a rich conversation so that a person can keep it", () => {
  const written = foldMarkdown(conversation, foldEntries(PATH, ENTRIES), { timeZone: "Europe/Berlin" });
  assert.equal(written, GOLDEN);
});

Deno.test("foldMarkdown() in full has the thinking, the summaries, what the loop said, and whole results", () => {
  const payloads = new Map([["/payloads/" + "b".repeat(64), `${LONG} and the rest`]]);
  const written = foldMarkdown(conversation, foldEntries(PATH, ENTRIES), { full: true, payloads });
  for (
    const part of [
      "### Thinking\n\n> Look it up.\n> ```\n> then say\n",
      `\`\`\`\n${LONG} and the rest\n\`\`\``,
      "> **Continued**: Go on",
      "(12,000 to 900 tokens): Tides.",
    ]
  ) assert.ok(written.includes(part), part);
  assert.ok(!written.includes("Cut here"));
});

Deno.test("foldMarkdown() in full says when a whole result is lost, and gives what there is", () => {
  const written = foldMarkdown(conversation, foldEntries(PATH, ENTRIES), { full: true });
  assert.ok(written.includes(`\`\`\`\n${LONG}\n\`\`\`\n\nThe whole result of 61,234 bytes could not be read`));
});

Deno.test("foldMarkdown() invents no number", () => {
  const line = (more: Partial<Usage> | null, also: Partial<PathTurn> = {}) => {
    const one = turn("t1", { ...also, usage: more === null ? null : { ...usage, ...more } });
    return foldMarkdown({ ...conversation, turns: 1 }, foldEntries([one], [])).split("\n").find((each) =>
      each.startsWith("Used:")
    );
  };
  const none = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, cost: undefined };
  assert.equal(line(null), "Used: `demo:tour` · usage not recorded");
  assert.equal(line(null, { status: "running", ended_at: null }), "Used: `demo:tour` · usage not known yet");
  assert.match(line({ ...none, reported_calls: 0 })!, /2 calls · 14\.2 s · tokens not reported · cost not known$/);
  assert.match(line({ reported_calls: 1, cost: undefined })!, /906 out · tokens of 1 of 2 calls · cost not known$/);
  assert.match(line({ cost: undefined, models: ["ollama:qwen3:8b"] })!, /· no cost$/);
  assert.match(line({ cost: 0 })!, /· no cost$/);
  assert.doesNotMatch(line({ ...none, reported_calls: 0 })!, /\b0 (?:in|out)\b/);
});

Deno.test("foldMarkdown() adds up only what is known", () => {
  const total = (...usages: (Partial<Usage> | null)[]) => {
    const path = usages.map((each, index) =>
      turn(`t${index}`, { n: index + 1, parent: index ? `t${index - 1}` : null, usage: each && { ...usage, ...each } })
    );
    return markdownHead({ ...conversation, turns: path.length }, path).split("\n").find((each) =>
      each.startsWith("- Totals:")
    );
  };
  assert.equal(total(), "- Totals: no turns");
  assert.equal(total(null, null), "- Totals: 2 turns, usage not recorded");
  assert.match(total({ cost: 0.5 }, { cost: undefined })!, /about \$0\.500 for 1 of 2 turns, the rest not known$/);
  assert.match(total({ cost: undefined })!, /cost not known$/);
  assert.match(total({ cost: 1 }, { cost: 1 })!, /about \$2\.00$/);
});

Deno.test("foldMarkdown() lists the agents where more than one ran, and does not call their work uncounted", () => {
  const by_agent = { ...usage.by_agent, researcher: { calls: 1, input_tokens: 0, output_tokens: 0 } };
  const path = [turn("t1", { usage: { ...usage, by_agent } })];
  const written = foldMarkdown(conversation, foldEntries(path, ENTRIES.slice(0, 9)));
  assert.ok(written.includes("- assistant: 2 calls, 8,412 in, 906 out\n- researcher: 1 call, tokens not reported\n"));
  assert.ok(!written.includes("Not counted here"));
});

Deno.test("foldMarkdown() says how a turn ended that did not end well, once", () => {
  const ending = (status: PathTurn["status"], failure: string | null, told?: string) => {
    const entries = told === undefined ? [] : [entry(1, "notice", { text: told, level: "error" })];
    const written = foldMarkdown(conversation, foldEntries([turn("t1", { status, failure })], entries));
    return written.split("\n").filter((line) => line.startsWith(">"));
  };
  assert.deepEqual(ending("done", null), []);
  assert.deepEqual(ending("stopped", null), ["> **Stopped.** What was written until then is here"]);
  assert.deepEqual(ending("stopped", null, "You stopped it"), ["> **Notice, error:** You stopped it"]);
  assert.deepEqual(ending("interrupted", null), ["> **Interrupted.** A call that was running may have run"]);
  assert.deepEqual(ending("refused", "No <b>"), ["> **The model declined.** No \\<b\\>"]);
  assert.deepEqual(ending("failed", "Gone", "Failed: Gone"), ["> **Notice, error:** Failed: Gone"]);
  assert.deepEqual(ending("failed", "Gone", "Else"), ["> **Notice, error:** Else", "> **Failed.** Gone"]);
  assert.deepEqual(ending("running", null), ["> **Still running** when this was written"]);
});

Deno.test("foldMarkdown() writes a conversation without a turn, and a title that is no heading", () => {
  const written = foldMarkdown({ ...conversation, title: "# `x`\n\n## y #", turns: 0 }, foldEntries([], []));
  assert.match(written, /^# \\# \\`x\\` \\#\\# y \\#\n\n- Conversation/);
  assert.match(written, /- Totals: no turns\n$/);
});

const ANY = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(
    fc.constantFrom(
      "```",
      "~~~~",
      "`",
      "\n",
      "\r",
      "\n\n",
      "    ",
      "> ",
      "- ",
      "1. ",
      "<!--",
      "<pre>",
      "<?",
      "a",
      "# ",
      "===",
    ),
    { maxLength: 12 },
  ).map((parts) => parts.join("")),
);
const picture = fc.record({ ref: fc.constant(image.ref), name: ANY, media_type: ANY, bytes: fc.nat() });
const DATA: { readonly [K in EntryKind]: fc.Arbitrary<EntryData[K]> } = {
  user: fc.record({
    text: ANY,
    images: fc.array(picture, { maxLength: 2 }),
    from: fc.oneof(fc.constant("person"), ANY),
  }),
  thinking: fc.record({ text: ANY }),
  text: fc.record({ text: ANY }),
  tool: fc.record({
    call: ANY,
    name: ANY,
    toolset: ANY,
    arguments: fc.oneof(ANY, fc.dictionary(ANY, ANY, { maxKeys: 2 }), fc.constant(undefined), fc.constant(null)),
    status: fc.constantFrom("waiting", "running", "done", "failed", "denied", "interrupted"),
    result: ANY,
    images: fc.array(picture, { maxLength: 2 }),
  }),
  approval: fc.record({
    entry: fc.nat(),
    agent: ANY,
    tool: ANY,
    arguments: ANY,
    decision: fc.constantFrom("allow", "deny", undefined),
    reason: ANY,
  }),
  run: fc.record({ agent: ANY, task: ANY, status: fc.constantFrom("done", "failed"), model: ANY }),
  inbox: fc.record({ text: ANY, from: ANY, to: ANY, mixed: fc.boolean() }),
  undelivered: fc.record({ text: ANY, from: ANY, to: ANY }),
  round: fc.record({
    kind: fc.constant("plain"),
    model: ANY,
    request_bytes: fc.nat(),
    ms: fc.nat(),
    stop_reason: ANY,
    error: ANY,
  }),
  plan: fc.record({ text: ANY, concerns: fc.array(ANY, { maxLength: 2 }) }),
  phase: fc.record({ label: ANY, detail: ANY }),
  review: fc.record({ reviewer: ANY, approved: fc.boolean(), reason: ANY }),
  image: fc.record({ ref: fc.constant(image.ref), from: ANY }),
  notice: fc.record({ text: ANY, level: fc.constantFrom("info", "warning", "error") }),
  compaction: fc.record({ summary: ANY, upto: fc.nat(), tokens_before: fc.nat(), tokens_after: fc.nat() }),
  channel: fc.record({
    graph: ANY,
    channel: ANY,
    direction: fc.constantFrom("sent", "received"),
    from: ANY,
    text: ANY,
  }),
};

/** Entries of two turns with any text in any field, some of them inside a sub-agent. */
const LOG = fc.array(
  fc.record({
    kind: fc.constantFrom(...Object.keys(DATA) as EntryKind[]),
    turn: fc.constantFrom("t1", "t1", "t2", null),
    run: fc.constantFrom(null, null, "r1"),
  }).chain(({ kind, turn, run }) =>
    (DATA[kind] as fc.Arbitrary<EntryData[EntryKind]>).map((data) => ({ kind, turn, run, data }))
  ),
  { maxLength: 12 },
).map((drafts) => drafts.map(({ kind, data, turn, run }, index) => entry(index + 1, kind, data, { turn, run })));

/** A tag cut in its name and the shortest of instructions: marked alone reads on there (markdown_open_test.ts). */
const CUT_TAG = /<\/?[a-z]+\s*$|<\?>/im;

Deno.test("foldMarkdown() keeps every turn a heading, with any text in any field", () => {
  fc.assert(
    fc.property(LOG, ANY, ANY, fc.boolean(), (entries, title, failure, full) => {
      const path = [
        turn("t1", { agent: title, model: title, status: "failed", failure }),
        turn("t2", { n: 2, parent: "t1", status: "refused", failure }),
      ];
      const written = foldMarkdown({ ...conversation, title, agent: title }, foldEntries(path, entries), { full });
      fc.pre(!CUT_TAG.test(written));
      const headings = marked.lexer(written).filter((token) => token.type === "heading" && token.depth === 2);
      const turns = headings.map((token) => (token as { text: string }).text).filter((text) =>
        /^Turn \d \(2026/.test(text)
      );
      assert.deepEqual(turns, ["Turn 1 (2026-11-30 08:00)", "Turn 2 (2026-11-30 08:00)"]);
      const last = marked.lexer(written).filter(({ type }) => type !== "space");
      assert.ok(entries.some((each) => each.turn === null) || /^Used: /.test(last.at(-1)!.raw), last.at(-1)!.raw);
    }),
    { numRuns: 400 },
  );
});

Deno.test("foldMarkdown() has every word and every answer as it was written", () => {
  fc.assert(
    fc.property(LOG, (entries) => {
      const written = foldMarkdown(conversation, foldEntries([...PATH], entries));
      for (const { kind, data, run } of entries) {
        if (kind === "text" && run === null && data.text.trim() !== "") assert.ok(written.includes(`\n\n${data.text}`));
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("turn by turn gives the same document as all at once", () => {
  fc.assert(
    fc.property(LOG, fc.boolean(), (entries, full) => {
      const whole = foldEntries(PATH, entries);
      let loose = looseEntries(whole);
      let written = markdownHead(conversation, PATH, { full });
      for (const each of PATH) {
        const alone = foldEntries([each], entries.filter((one) => one.turn === each.id));
        const [before, after] = looseBefore(loose, alone.turns[0]!);
        written += markdownLoose(before, { full }) + markdownTurn(alone.turns[0]!, { full });
        loose = after;
      }
      assert.equal(written + markdownLoose(loose, { full }), foldMarkdown(conversation, whole, { full }));
    }),
    { numRuns: 200 },
  );
});
