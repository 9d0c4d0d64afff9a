import assert from "node:assert/strict";
import type { LogOperation, OpenEntry } from "../../core/log/mod.ts";
import { cursorOf, emptyTranscript, entryOf, foldOperation, type Transcript } from "../../core/log/folds/transcript.ts";
import { LiveClient } from "./live_client.ts";
import { type TestServer, withServer } from "./test_server.ts";

const PIECES = 200;

/** A tab that folds what it hears, as the page does, over as many sockets as it takes. */
class Tab {
  transcript: Transcript;
  readonly #server: TestServer;
  readonly #conversation: string;
  readonly #seq: number;
  #client: LiveClient | null = null;
  #operations = 0;

  constructor(server: TestServer, conversation: string, seq: number) {
    this.#server = server;
    this.#conversation = conversation;
    this.#seq = seq;
    this.transcript = emptyTranscript(conversation);
  }

  async connect(): Promise<void> {
    const { client } = await LiveClient.open(this.#server);
    this.#client = client;
    client.send({ op: "watch", conversation: this.#conversation, after: cursorOf(this.transcript) });
  }

  /** Hears until it fits, folding each operation. */
  async hear(fits: (tab: Tab) => boolean): Promise<void> {
    while (!fits(this)) {
      const frame = await this.#client!.next();
      assert.notEqual(frame.op, "error", JSON.stringify(frame));
      this.transcript = foldOperation(this.transcript, frame as unknown as LogOperation);
      this.#operations++;
      assert.notEqual(this.transcript.needs, "resync", "no gap is ever sent");
    }
  }

  async cut(): Promise<void> {
    await this.#client!.close();
  }

  get text(): string {
    return (entryOf(this.transcript, this.#seq)?.data as { text?: string })?.text ?? "";
  }

  get isDone(): boolean {
    return entryOf(this.transcript, this.#seq)?.state === "done";
  }

  get operations(): number {
    return this.#operations;
  }
}

async function openEntry(server: TestServer): Promise<{ id: string; open: OpenEntry<"text"> }> {
  const { id } = await server.assistant.conversations.create({});
  await server.assistant.log.open(id);
  const open = server.assistant.log.appendOpen(id, { turn: null, kind: "text", data: { text: "" } });
  await open.durable;
  return { id, open };
}

/** A few letters, one of them two code units long, so that a cut may fall inside one. */
function pieceOf(count: number): string {
  return `${count} 🌱 né `;
}

Deno.test("live: a reply that is cut at any of its 200 pieces is whole and single after resuming", () =>
  withServer(async (server) => {
    const { id, open } = await openEntry(server);
    // A tab for each point hears the growing reply; it is cut there and comes back while the reply grows on.
    const tabs = Array.from({ length: PIECES }, (_, cut) => ({ cut, tab: new Tab(server, id, open.seq) }));
    await Promise.all(tabs.map(({ tab }) => tab.connect()));
    const whole = Array.from({ length: PIECES }, (_, count) => pieceOf(count)).join("");

    const growing = (async () => {
      for (let count = 0; count < PIECES; count++) {
        open.extend(pieceOf(count));
        await new Promise((resolve) => setTimeout(resolve, 3));
      }
      await open.close();
    })();
    await Promise.all(tabs.map(async ({ cut, tab }) => {
      const { length } = Array.from({ length: cut }, (_, count) => pieceOf(count)).join("");
      await tab.hear((each) => each.text.length >= length || each.isDone);
      await tab.cut();
      assert.ok(whole.startsWith(tab.text), "what is held is a beginning of the reply");
      await tab.connect();
      await tab.hear((each) => each.isDone);
      await tab.cut();
    }));
    await growing;
    const [stored] = (await server.assistant.log.entries(id)).items;
    assert.equal((stored!.data as { text: string }).text, whole);
    for (const { cut, tab } of tabs) assert.equal(tab.text, whole, `cut at ${cut}`);
  }));

Deno.test("live: a tab that comes back again and again, at every piece, ends with the stored text", () =>
  withServer(async (server) => {
    const { id, open } = await openEntry(server);
    const tab = new Tab(server, id, open.seq);
    for (let count = 0; count < 30; count++) {
      open.extend(pieceOf(count));
      await tab.connect();
      const { text } = open.data;
      await tab.hear((each) => each.text === text);
      open.extend("unheard ");
      await tab.cut();
    }
    await open.close();
    await tab.connect();
    await tab.hear((each) => each.isDone);
    await tab.cut();
    assert.equal(tab.text, open.data.text);
  }));

Deno.test("live: two tabs and a latecomer hold the same", () =>
  withServer(async (server) => {
    const { id, open } = await openEntry(server);
    const tabs = [new Tab(server, id, open.seq), new Tab(server, id, open.seq)];
    await Promise.all(tabs.map((tab) => tab.connect()));
    for (let count = 0; count < 50; count++) open.extend(pieceOf(count));
    const latecomer = new Tab(server, id, open.seq);
    await latecomer.connect();
    for (let count = 50; count < 100; count++) open.extend(pieceOf(count));
    await open.close();
    await server.assistant.log.append(id, { turn: null, kind: "notice", data: { text: "The end", level: "info" } });
    for (const tab of [...tabs, latecomer]) {
      await tab.hear(({ transcript }) => cursorOf(transcript) === 2);
      assert.equal(tab.text, open.data.text);
      await tab.cut();
    }
    assert.ok(tabs[0]!.operations < 30, `100 pieces made ${tabs[0]!.operations} frames`);
  }));
