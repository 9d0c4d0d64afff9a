/** What lasts: through a restart, a clock that jumps, and a reader that does not read. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Conversation, Entry, Turn } from "../../core/log/mod.ts";
import { startFakeProvider } from "../providers/mod.ts";
import { DeafReader } from "./deaf_reader.ts";
import { type Product, startProduct } from "./product.ts";

const ECHO = "demo:echo;tps=0";

/** The bytes of an answer. */
async function bytes({ url, token }: Product, path: string): Promise<string> {
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(answer.status, 200, path);
  return await answer.text();
}

Deno.test("the list, every conversation and every entry survive a restart byte for byte", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "malama-lasting-" });
  try {
    await using provider = startFakeProvider(
      "anthropic",
      (request) =>
        request.body.includes("Break")
          ? { thinking: "Half a", text: "It begins", fault: "reset" }
          : request.body.includes("tool_result")
          ? { text: "It is **42**, “ünïcode” 東京 👩‍🚀" }
          : { thinking: "A sum.", toolCalls: [{ name: "calculate", arguments: { expression: "6*7" } }] },
    );
    const paths = ["/api/conversations?limit=2", "/api/conversations"];
    const before: string[] = [];
    {
      await using product = await startProduct({ model: provider.modelString, dataDir, keep: true });
      for (const text of ["What is 6*7?", "Break off", "Sum it up", "One more"]) {
        const id = await product.conversation();
        await product.ended(await product.say(id, text));
        if (text === "Break off") await product.ended(await product.say(id, "Break off again"));
        await product.call("PATCH", `/api/conversations/${id}`, {
          title: `About “${text}”`,
          pinned: text === "Sum it up",
        });
        paths.push(`/api/conversations/${id}`, `/api/conversations/${id}/entries?limit=500`);
      }
      for (const path of paths) before.push(await bytes(product, path));
    }
    await using product = await startProduct({ model: provider.modelString, dataDir, keep: true });
    await product.assistant.started;
    for (const [n, path] of paths.entries()) assert.equal(await bytes(product, path), before[n], path);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});

/** How the clock jumps before each turn, in hours: a day ahead, two back, nowhere, a year back, two ahead. */
const JUMPS = [0, 24, -48, 0, -8760, 17520, -1, 0.5];

Deno.test("a clock that jumps back and forth leaves turns, entries and the list in order", async () => {
  let time = Date.parse("2026-03-01T12:00:00Z");
  const now = () => new Date(time);
  const dataDir = await Deno.makeTempDir({ prefix: "malama-lasting-" });
  try {
    const ids: string[] = [];
    const said: string[] = [];
    const talk = async (product: Product) => {
      for (const jump of JUMPS) {
        time += jump * 3_600_000;
        const id = await product.conversation();
        if (ids.length === 0) ids.push(id);
        const text = `Message ${said.length + 1}`;
        said.push(text);
        const turn = await product.ended(await product.say(ids[0]!, text));
        assert.equal(turn.status, "done");
        assert.ok((turn.usage?.wall_seconds ?? -1) >= 0);
        await product.ended(await product.say(id === ids[0] ? await product.conversation() : id, "Beside it"));
      }
      await assertInOrder(product, ids[0]!, said);
    };
    {
      await using product = await startProduct({ model: ECHO, dataDir, keep: true, now });
      await talk(product);
    }
    // It comes back on a day before all that it remembers.
    time = Date.parse("2020-01-01T00:00:00Z");
    await using product = await startProduct({ model: ECHO, dataDir, keep: true, now });
    await product.assistant.started;
    await assertInOrder(product, ids[0]!, said);
    await talk(product);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});

async function assertInOrder(product: Product, id: string, said: readonly string[]): Promise<void> {
  const entries = await product.stored(id);
  assert.deepEqual(entries.map(({ seq }) => seq), entries.map((_, at) => at + 1));
  const texts = (kind: Entry["kind"]) =>
    entries.filter((entry) => entry.kind === kind).map(({ data }) => (data as { text: string }).text);
  assert.deepEqual(texts("user"), said);
  assert.deepEqual(texts("text"), said);

  const { path } = await product.call<{ path: readonly Turn[] }>("GET", `/api/conversations/${id}`);
  assert.deepEqual(path.map(({ n }) => n), said.map((_, at) => at + 1));
  assert.deepEqual(path.map(({ parent }) => parent), [null, ...path.slice(0, -1).map((turn) => turn.id)]);
  assert.deepEqual(path.map((turn) => turn.id), [...new Set(entries.map(({ turn }) => turn))]);

  const whole = await listed(product, 500);
  const paged = await listed(product, 3);
  assert.deepEqual(paged, whole, "every conversation stands on exactly one page");
  const times = whole.map(({ updated_at }) => updated_at);
  assert.deepEqual(times, times.toSorted().reverse());
  assert.equal(new Set(whole.map((row) => row.id)).size, whole.length);
}

async function listed(product: Product, limit: number): Promise<readonly Conversation[]> {
  const rows: Conversation[] = [];
  for (let before: string | null = ""; before !== null;) {
    const cursor: string = before === "" ? "" : `&before=${encodeURIComponent(before)}`;
    const page: { items: Conversation[]; next: string | null } = await product.call(
      "GET",
      `/api/conversations?limit=${limit}${cursor}`,
    );
    rows.push(...page.items);
    before = page.next;
  }
  return rows;
}

/** Below the size above which a frame is handed over piece by piece, so that it counts as one that waits. */
const LONG = "many words ".repeat(18_000);
/** More than any socket's buffers on this machine hold, and the backlog besides. */
const MOST_TURNS = 120;

Deno.test("a reader that does not read is let go, and neither turns nor other readers wait for it", async () => {
  await using provider = startFakeProvider("openai-chat", () => ({ text: [LONG] }));
  await using product = await startProduct({ model: provider.modelString });
  const id = await product.conversation();
  const reader = await product.live();
  reader.watch(id, 0);
  using deaf = await DeafReader.open(product.url, product.token, id);
  assert.equal(product.server.hub.size, 2);
  let first: string | undefined;
  for (let turns = 0; product.server.hub.size === 2; turns++) {
    assert.ok(turns < MOST_TURNS, "it was never let go");
    // Each follows the first one, so that what the model is sent does not grow.
    const { turn } = await product.call<{ turn: string }>("POST", `/api/conversations/${id}/messages`, {
      text: "Go on",
      ...(first ? { parent: first } : {}),
    });
    first ??= turn;
    assert.equal((await product.ended(turn)).status, "done");
    await reader.until(() => reader.hasEnded(turn), "the end of a turn");
  }
  assert.equal(product.server.hub.size, 1);
  assertSameEntries(reader.entries, await product.stored(id));
  await deaf.readUpTo("Too slow to keep up");
  reader.cut();

  const back = await product.live();
  back.watch(id, 0);
  await back.until(() => back.entries.length === reader.entries.length, "all that was missed");
  assertSameEntries(back.entries, reader.entries);
  back.cut();
});

/** The same, said without showing megabytes when they are not. */
function assertSameEntries(found: readonly Entry[], wanted: readonly Entry[]): void {
  assert.deepEqual(found.map(({ seq, kind }) => [seq, kind]), wanted.map(({ seq, kind }) => [seq, kind]));
  const different = found.filter((entry, at) => !isDeepStrictEqual(entry, wanted[at]));
  assert.deepEqual(different.map(({ seq, kind, state }) => [seq, kind, state]), []);
}
