import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { buildAssistant, loadStartConfig } from "../../cli/startup.ts";
import type { Surroundings } from "../../cli/surroundings.ts";
import type { LogOperation } from "../../core/log/mod.ts";
import { main } from "../../main.ts";
import { serveMalama, withHome } from "./product.ts";

const CONFIG = '[agents.assistant]\n[agents.assistant.tools]\navailable = ["compute"]\n';

interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A home folder with a conversation in it. */
interface Home {
  readonly home: string;
  readonly id: string;
  /** Runs one command line inside this process. */
  run(...args: string[]): Promise<Outcome>;
}

function surroundingsOf(
  home: string,
  env: Record<string, string>,
  taken: { stdout: string; stderr: string },
): Surroundings {
  const all: Record<string, string> = { MALAMA_HOME: home, MALAMA_MODEL: "demo:tour", ...env };
  return {
    env: (name) => all[name],
    cwd: home,
    stdout: (text) => void (taken.stdout += text),
    stderr: (text) => void (taken.stderr += text),
    now: () => new Date(),
    version: "0.1.0",
  };
}

async function runIn(home: string, args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const taken = { stdout: "", stderr: "" };
  const status = await main(args, surroundingsOf(home, env, taken));
  return { status, ...taken };
}

/** Says something to the demonstration and waits for its answer. */
async function converse(home: string): Promise<string> {
  const surroundings = surroundingsOf(home, {}, { stdout: "", stderr: "" });
  const assistant = await buildAssistant(await loadStartConfig({}, surroundings), {}, surroundings);
  try {
    await assistant.started;
    const { id } = await assistant.conversations.create({ title: "Sums" });
    const over = Promise.withResolvers<void>();
    assistant.feed.subscribe((operation: LogOperation) => {
      if (operation.op === "turn" && operation.turn.status === "done") over.resolve();
    });
    await assistant.turns.submit(id, { text: "What is 17*23?" });
    await over.promise;
    return id;
  } finally {
    await assistant.close();
  }
}

async function withConversation(test: (home: Home) => Promise<void>): Promise<void> {
  await withHome(async (home) => {
    await Deno.writeTextFile(join(home, "config.toml"), CONFIG);
    const id = await converse(home);
    await test({ home, id, run: (...args) => runIn(home, args) });
  });
}

Deno.test("malama export prints the latest conversation as Markdown, by itself", () =>
  withConversation(async ({ id, run }) => {
    const { status, stdout, stderr } = await run("export", "latest");
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^# Sums\n\n- Conversation: /);
    assert.ok(stdout.includes(id));
    assert.match(stdout, /### You\n\nWhat is 17\*23\?\n[\s\S]*### Tool call: `calculate`[\s\S]*391/);
    assert.match(stdout, /\nUsed: `demo:tour` · .* · no cost\n$/);
    assert.equal(stderr, "");
  }));

Deno.test("malama export writes a file, whose name says the format, and refuses to overwrite it", () =>
  withConversation(async ({ home, id, run }) => {
    const file = join(home, "sums.jsonl");
    const first = await run("export", id.slice(0, 12), "--full", "-o", "sums.jsonl");
    assert.deepEqual([first.status, first.stdout], [0, ""]);
    const text = await Deno.readTextFile(file);
    assert.equal(first.stderr, `Wrote ${file}, ${new TextEncoder().encode(text).length.toLocaleString("en")} bytes\n`);
    const lines = text.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual([lines[0].id, lines[0].full], [id, true]);
    assert.ok(lines.at(-1).end.blobs > 0, "the captured requests are there");
    if (Deno.build.os !== "windows") assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);

    const second = await run("export", "latest", "-o", "sums.jsonl");
    assert.deepEqual([second.status, second.stdout], [2, ""]);
    assert.match(second.stderr, /^"[^\n]*sums\.jsonl" is there already: [^\n]*--force\n$/);
    assert.equal(await Deno.readTextFile(file), text);

    const third = await run("export", "latest", "--format", "md", "-o", file, "--force");
    assert.equal(third.status, 0, third.stderr);
    assert.match(await Deno.readTextFile(file), /^# Sums\n/);
    assert.deepEqual([...Deno.readDirSync(home)].map(({ name }) => name).filter((name) => /part|sums/.test(name)), [
      "sums.jsonl",
    ]);
  }));

Deno.test("malama export needs no key, for nothing is asked of a model", () =>
  withConversation(async ({ home }) => {
    for (const MALAMA_MODEL of ["anthropic:claude-opus-5", "nonsense"]) {
      const { status, stdout } = await runIn(home, ["export", "latest"], { MALAMA_MODEL });
      assert.equal(status, 0);
      assert.match(stdout, /^# Sums\n/);
    }
  }));

Deno.test("malama export says in one line what it cannot do, and leaves no file", () =>
  withConversation(async ({ home, run }) => {
    for (
      const [args, said] of [
        [[], /task start export latest/],
        [["01K7Q2M0ZZ"], /No conversation has an id that starts with "01K7Q2M0ZZ"/],
        [["01K"], /too short/],
        [["latest", "--force"], /-o FILE/],
        [["latest", "-o", "nowhere/x.md"], /There is no folder "[^\n]*nowhere": make it first/],
        [["latest", "-o", "."], /is there already/],
        [["latest", "-o", ".", "--force"], /cannot be written/],
        [["01K7Q2M0ZZ", "-o", "new.md"], /No conversation/],
      ] as const
    ) {
      const { status, stdout, stderr } = await run("export", ...args);
      assert.deepEqual([status, stdout], [2, ""], args.join(" "));
      assert.match(stderr, said);
      assert.match(stderr, /^[^\n]+\n$/);
    }
    const left = [...Deno.readDirSync(home)].map(({ name }) => name).sort();
    assert.deepEqual(left, ["config.toml", "data"]);
    assert.ok(![...Deno.readDirSync(join(home, ".."))].some(({ name }) => name.startsWith(`${basename(home)}.`)));
  }));

Deno.test("malama export says that there is no conversation, and makes no configuration", () =>
  withHome(async (home) => {
    assert.equal((await runIn(home, ["export", "latest"])).status, 2);
    assert.deepEqual([...Deno.readDirSync(home)], []);
    await Deno.writeTextFile(join(home, "config.toml"), CONFIG);
    const { status, stderr } = await runIn(home, ["export", "latest"]);
    assert.equal(status, 2);
    assert.match(stderr, /^There is no conversation yet/);
  }));

Deno.test("malama export asks the server that holds the folder", () =>
  withConversation(async ({ home, run }) => {
    const served = await serveMalama({ home });
    try {
      const { status, stdout, stderr } = await run("export", "latest", "-o", "-", "--format=jsonl");
      assert.equal(status, 0, stderr);
      assert.equal(JSON.parse(stdout.trimEnd().split("\n").at(-1)!).end.turns, 1);
    } finally {
      await served.stop();
    }
  }));
