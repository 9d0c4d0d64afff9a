/**
 * A crowd on a server: many conversations at once, each with its turns, and watchers that come and go at every moment.
 *
 * @module
 */
import assert from "node:assert/strict";
import { LiveClient } from "./live_client.ts";

export interface Crowd {
  readonly url: string;
  readonly token: string;
  readonly conversations: number;
  /** In each conversation. */
  readonly turns: number;
}

/** What a crowd left behind, by what it saw. */
export interface Left {
  readonly turns: number;
  readonly watchers: number;
}

/** Lets the crowd in and waits until it is gone. Each conversation is deleted at the end, every second one brought back. */
export async function soak(crowd: Crowd): Promise<Left> {
  const call = caller(crowd);
  let watchers = 0;
  let turns = 0;
  const talk = async (nth: number) => {
    const { id } = await call<{ id: string }>("POST", "/api/conversations", {});
    const path = `/api/conversations/${id}`;
    let held: LiveClient | undefined;
    for (let n = 0; n < crowd.turns; n++) {
      const client: LiveClient = await LiveClient.open(crowd.url, crowd.token);
      watchers++;
      if (held) client.resumeFrom(held);
      client.watch(id);
      const text = `Message ${n} of conversation ${nth}, in a handful of words`;
      const { turn } = await call<{ turn: string }>("POST", `${path}/messages`, { text, queue: true });
      turns++;
      if (n % 5 === 3) await call("POST", `${path}/stop`);
      // Some leave in the middle of the turn, some stay to its end.
      if ((n + nth) % 3 === 0) await client.until(() => client.entries.some((entry) => entry.turn === turn), "a start");
      else await client.until(() => client.hasEnded(turn), "the end of a turn");
      client.cut();
      held = client;
    }
    const last = await LiveClient.open(crowd.url, crowd.token);
    watchers++;
    if (held) last.resumeFrom(held);
    last.watch(id);
    const stored = await entriesOf(call, path, crowd.turns);
    await last.until(
      () => last.cursor === stored.at(-1)?.seq && last.entries.every(({ state }) => state === "done"),
      "all",
    );
    assert.deepEqual(last.entries, stored);
    last.cut();
    await call("DELETE", path);
    if (nth % 2 === 0) await call("POST", `${path}/restore`);
  };
  await Promise.all(Array.from({ length: crowd.conversations }, (_, nth) => talk(nth)));
  return { turns, watchers };
}

type Call = ReturnType<typeof caller>;

function caller({ url, token }: Crowd) {
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return (text ? JSON.parse(text) : undefined) as T;
  };
}

interface Detail {
  readonly running: boolean;
  readonly turns: number;
}

/** Every entry, once no turn runs any more. */
async function entriesOf(call: Call, path: string, turns: number): Promise<LiveClient["entries"]> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const detail = await call<Detail>("GET", path);
    if (!detail.running && detail.turns === turns) break;
    assert.ok(performance.now() < deadline, "a turn does not end");
  }
  return (await call<{ items: LiveClient["entries"] }>("GET", `${path}/entries?limit=500`)).items;
}
