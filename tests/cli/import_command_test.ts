import assert from "node:assert/strict";
import { join } from "node:path";
import type { Surroundings } from "../../cli/surroundings.ts";
import { main } from "../../main.ts";
import { serveMalama, withHome } from "./product.ts";

const CONFIG = '[agents.assistant]\n[agents.assistant.tools]\navailable = ["compute"]\n';
const TURN = "01K7Q2M000000000000000TRN1";
const FOREIGN = "01K7Q2M000000000000000CNV1";

const EXPORT = [
  {
    malama: 1,
    kind: "conversation",
    full: false,
    id: FOREIGN,
    title: "Sums",
    title_kind: "given",
    agent: "assistant",
    model: null,
    head: TURN,
    task: null,
    graph: null,
    origin: null,
    pinned: false,
    created_at: "2026-11-30T09:00:00.000Z",
    updated_at: "2026-11-30T09:00:00.000Z",
    last_seq: 2,
    read_seq: 2,
  },
  {
    turn: {
      id: TURN,
      conversation: FOREIGN,
      n: 1,
      parent: null,
      origin: "person",
      status: "done",
      agent: "assistant",
      model: "demo:tour",
      thinking: null,
      usage: null,
      failure: null,
      token: null,
      started_at: "2026-11-30T09:00:00.000Z",
      ended_at: "2026-11-30T09:00:01.000Z",
    },
  },
  entry(1, "user", { text: "What is 17*23?", images: [], from: "person" }),
  entry(2, "text", { text: "391" }),
  { end: { turns: 1, entries: 2, blobs: 0 } },
];

function entry(seq: number, kind: string, data: unknown) {
  const at = "2026-11-30T09:00:00.000Z";
  return {
    entry: { conversation: FOREIGN, seq, turn: TURN, run: null, parent_run: null, kind, state: "done", at, data },
  };
}

const text = (lines: readonly unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

interface Home {
  readonly home: string;
  /** Runs one command line inside this process. */
  run(...args: string[]): Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }>;
}

async function withFile(lines: string, test: (home: Home) => Promise<void>): Promise<void> {
  await withHome(async (home) => {
    await Deno.writeTextFile(join(home, "config.toml"), CONFIG);
    await Deno.writeTextFile(join(home, "sums.jsonl"), lines);
    await test({
      home,
      async run(...args) {
        const taken = { stdout: "", stderr: "" };
        const all: Record<string, string> = { MALAMA_HOME: home, MALAMA_MODEL: "demo:tour" };
        const surroundings: Surroundings = {
          env: (name) => all[name],
          cwd: home,
          stdout: (piece) => void (taken.stdout += piece),
          stderr: (piece) => void (taken.stderr += piece),
          now: () => new Date(),
          version: "0.1.0",
        };
        return { status: await main(args, surroundings), ...taken };
      },
    });
  });
}

Deno.test("malama import makes a conversation of an export, and prints its id", () =>
  withFile(text(EXPORT), async ({ run }) => {
    const { status, stdout, stderr } = await run("import", "sums.jsonl");
    assert.deepEqual([status, stderr], [0, 'Imported "Sums", 1 turn\n']);
    const id = stdout.trim();
    assert.match(id, /^[0-9A-Z]{26}$/);
    assert.notEqual(id, FOREIGN);
    const exported = await run("export", id);
    assert.match(exported.stdout, /^# Sums\n[\s\S]*- Origin: import of `01K7Q2M000000000000000CNV1`/);
    assert.ok(exported.stdout.includes("### Answer\n\n391\n"));
    const again = await run("export", id, "--format", "jsonl");
    assert.deepEqual(JSON.parse(again.stdout.trimEnd().split("\n").at(-1)!), EXPORT.at(-1));
  }));

Deno.test("malama import tells the line that is wrong, and leaves nothing", () =>
  withFile(text(EXPORT.slice(0, -1)), async ({ run }) => {
    const { status, stdout, stderr } = await run("import", "sums.jsonl");
    assert.deepEqual([status, stdout], [2, ""]);
    assert.match(stderr, /^line 4: The file ends here, before its end: it was cut off[^\n]*\n$/);
    assert.match((await run("export", "latest")).stderr, /^There is no conversation yet/);
  }));

Deno.test("malama import is told why also when most of the file has not been sent yet", () => {
  const filler = { entry: { conversation: FOREIGN, kind: "mood", data: { text: "x".repeat(100_000) } } };
  const lines = text(EXPORT.slice(0, 1)) + text(Array.from({ length: 100 }, () => filler));
  return withFile(lines, async ({ run }) => {
    const { status, stderr } = await run("import", "sums.jsonl");
    assert.equal(status, 2);
    assert.match(stderr, /^line 2: entry\.[^\n]*Is missing\n$/);
  });
});

Deno.test("malama import says in one line what it cannot do", () =>
  withFile("", async ({ run }) => {
    for (
      const [args, said] of [
        [[], /task start import FILE/],
        [["nowhere.jsonl"], /There is no file "[^\n]*nowhere\.jsonl"/],
        [["."], /is a folder/],
        [["sums.jsonl"], /line 1: The file is empty/],
        [["a.jsonl", "b.jsonl"], /takes no argument "b.jsonl"/],
        [["sums.jsonl", "--full"], /means nothing to "import"/],
      ] as const
    ) {
      const { status, stdout, stderr } = await run("import", ...args);
      assert.deepEqual([status, stdout], [2, ""], args.join(" "));
      assert.match(stderr, said);
      assert.match(stderr, /^[^\n]+\n$/);
    }
  }));

Deno.test("malama import hands the file to the server that holds the folder", () =>
  withFile(text(EXPORT), async ({ home, run }) => {
    const served = await serveMalama({ home });
    try {
      const { status, stdout, stderr } = await run("import", "--file", "sums.jsonl");
      assert.equal(status, 0, stderr);
      const answer = await fetch(`${served.url}/api/conversations/${stdout.trim()}`, {
        headers: { authorization: `Bearer ${served.token}` },
      });
      assert.equal((await answer.json()).title, "Sums");
    } finally {
      await served.stop();
    }
  }));
