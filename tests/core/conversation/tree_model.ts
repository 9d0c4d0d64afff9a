/**
 * A conversation's tree in memory, and the moves a person makes on it: what the store has to agree with.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Entry, foldContext, type Turn } from "../../../core/log/mod.ts";
import { bytesOf, type TreeFixture } from "./tree_fixture.ts";

/** One move. Numbers choose among what there is: a conversation, a turn of it. */
export type Move =
  | { readonly op: "new" }
  | { readonly op: "answer" | "rerun"; readonly room: number; readonly turn: number }
  | { readonly op: "head" | "truncate" | "branch"; readonly room: number; readonly turn: number }
  | { readonly op: "duplicate"; readonly room: number }
  | { readonly op: "import"; readonly room: number };

interface ModelTurn {
  readonly label: string;
  readonly parent: string | null;
  readonly seqs: readonly number[];
}

/** Turns in the order they came; a label is a turn's name, in every copy of it too. */
export class ModelConversation {
  turns: ModelTurn[] = [];
  head: string | null = null;
  lastSeq = 0;

  constructor(readonly id: string) {}

  grow(label: string, parent: string | null, entries: number): void {
    const seqs = Array.from({ length: entries }, () => ++this.lastSeq);
    this.turns.push({ label, parent, seqs });
    this.head = label;
  }

  setHead(label: string): void {
    for (let at: string | undefined = label; at !== undefined; at = this.#children(at).at(-1)) this.head = at;
  }

  truncate(label: string): void {
    const gone = new Set([label]);
    for (const turn of this.turns) if (gone.has(turn.parent ?? "")) gone.add(turn.label);
    const { parent } = this.turns.find((turn) => turn.label === label)!;
    this.turns = this.turns.filter((turn) => !gone.has(turn.label));
    if (!gone.has(this.head ?? "")) return;
    const sibling = this.#children(parent).at(-1);
    if (sibling !== undefined) this.setHead(sibling);
    else this.head = parent;
  }

  path(label: string | null): string[] {
    const turn = this.turns.find((each) => each.label === label);
    return turn ? [...this.path(turn.parent), turn.label] : [];
  }

  /** A copy of these turns, its numbers dense. */
  copy(id: string, labels: readonly string[], head: string | null): ModelConversation {
    const made = new ModelConversation(id);
    const chosen = this.turns.filter((turn) => labels.includes(turn.label));
    const order = chosen.flatMap(({ seqs }) => seqs).sort((a, b) => a - b);
    made.turns = chosen.map((turn) => ({ ...turn, seqs: turn.seqs.map((seq) => order.indexOf(seq) + 1) }));
    made.lastSeq = order.length;
    made.head = head;
    return made;
  }

  /** An import keeps the numbers, with their holes. */
  imported(id: string): ModelConversation {
    const made = new ModelConversation(id);
    made.turns = [...this.turns];
    made.lastSeq = this.lastSeq;
    made.head = this.head;
    return made;
  }

  #children(parent: string | null): string[] {
    return this.turns.filter((turn) => turn.parent === parent).map(({ label }) => label);
  }
}

/** Does the same to a store and to the model of it. */
export class TreePair {
  readonly #fixture: TreeFixture;
  readonly rooms: ModelConversation[] = [];
  #labels = 0;

  constructor(fixture: TreeFixture) {
    this.#fixture = fixture;
  }

  async take(move: Move): Promise<void> {
    const { book, imports, lines } = this.#fixture;
    if (move.op === "new" || this.rooms.length === 0) {
      this.rooms.push(new ModelConversation((await book.create({ title: "T" })).id));
      return;
    }
    const room = this.rooms[move.room % this.rooms.length]!;
    if (move.op === "duplicate") {
      const { id } = await book.duplicate(room.id);
      this.rooms.push(room.copy(id, room.turns.map(({ label }) => label), room.head));
      return;
    }
    if (move.op === "import") {
      const { id } = await imports.import(bytesOf(await lines(room.id)));
      this.rooms.push(room.imported(id));
      return;
    }
    const turn = room.turns[move.turn % Math.max(1, room.turns.length)];
    if (move.op === "answer" || move.op === "rerun") {
      return await this.#grow(room, (move.op === "rerun" ? turn?.parent : turn?.label) ?? null);
    }
    if (!turn) return;
    const id = await this.#idOf(room, turn.label);
    switch (move.op) {
      case "head":
        await book.setHead(room.id, id);
        room.setHead(turn.label);
        return;
      case "truncate":
        await book.truncate(room.id, id);
        room.truncate(turn.label);
        return;
      case "branch": {
        const made = await book.branch(room.id, id);
        this.rooms.push(room.copy(made.id, room.path(turn.label), turn.label));
        return;
      }
      default:
        move.op satisfies never;
    }
  }

  /** Every conversation is what its model says, and its context is one a provider takes. */
  async check(): Promise<void> {
    for (const room of this.rooms) {
      const stored = await this.#fixture.book.get(room.id);
      const turns = await this.#fixture.log.turns(room.id);
      const entries = (await this.#fixture.log.entries(room.id, { all: true, limit: 500 })).items;
      const label = (id: string | null) => turns.find((turn) => turn.id === id)?.model ?? null;
      assert.equal(label(stored.head), room.head);
      assert.equal(stored.turns, room.turns.length);
      assert.deepEqual(
        stored.path.map(({ model, n }) => [model, n]),
        room.path(room.head).map((each, at) => [each, at + 1]),
      );
      const found = turns.map((turn): ModelTurn => ({
        label: turn.model,
        parent: label(turn.parent),
        seqs: entries.filter((entry) => entry.turn === turn.id).map(({ seq }) => seq),
      }));
      assert.deepEqual(found, room.turns);
      assert.equal((await this.#fixture.book.stored(room.id)).last_seq, room.lastSeq);
      checkApprovals(entries);
      checkContext(entries, stored.path);
    }
  }

  async #grow(room: ModelConversation, parent: string | null): Promise<void> {
    const { begin, say, end, book } = this.#fixture;
    const label = `demo:${++this.#labels}`;
    const turn = await begin(room.id, parent === null ? null : await this.#idOf(room, parent), label);
    await say(room.id, turn, "user", { text: `ask ${label}`, images: [], from: "person" });
    const tool = await say(room.id, turn, "tool", {
      call: "one",
      name: "now",
      toolset: "time",
      arguments: {},
      status: "done",
      result: label,
    });
    await say(room.id, turn, "approval", {
      entry: tool,
      agent: "assistant",
      tool: "now",
      arguments: {},
      decision: "allow",
    });
    await say(room.id, turn, "round", { kind: "plain", model: label, request_bytes: 1, ms: 1, stop_reason: "tools" });
    await say(room.id, turn, "text", { text: `answer ${label}` });
    await end(turn);
    room.grow(label, parent, 5);
    assert.equal((await book.get(room.id)).head, turn);
  }

  async #idOf(room: ModelConversation, label: string): Promise<string> {
    return (await this.#fixture.log.turns(room.id)).find(({ model }) => model === label)!.id;
  }
}

/** An approval names the tool entry before it, in copies too. */
function checkApprovals(entries: readonly Entry[]): void {
  for (const entry of entries) {
    if (entry.kind === "approval") assert.equal(entries.find(({ seq }) => seq === entry.data.entry)?.kind, "tool");
  }
}

function checkContext(entries: readonly Entry[], path: readonly Turn[]): void {
  const ids = new Set(path.map(({ id }) => id));
  const roles = foldContext(entries.filter(({ turn }) => ids.has(turn ?? ""))).map(({ role }) => role);
  assert.deepEqual(roles, path.flatMap(() => ["user", "assistant", "tool", "assistant"]));
}
