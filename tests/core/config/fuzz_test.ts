import assert from "node:assert/strict";
import fc from "fast-check";
import { ConfigError, EXAMPLE_CONFIG } from "../../../core/config/mod.ts";
import { configFile } from "../../../core/config/file.ts";
import { parseConfig } from "../../../core/config/load.ts";

const SWITCHED_ON = EXAMPLE_CONFIG.replace(/^#(?=[^\s#])/gm, "");
const LINES = SWITCHED_ON.split("\n");

/** Loads the text and gives the error, or `null` when it loads. Anything but a `ConfigError` goes through. */
async function outcome(text: string): Promise<ConfigError | null> {
  const file = await configFile("config.toml", new TextEncoder().encode(text));
  try {
    parseConfig(file, { root: "/r", file: "config.toml" });
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

function assertTellable(error: ConfigError | null, text: string): void {
  if (error === null) return;
  const lines = text.split("\n").length;
  assert.ok(error.problems.length > 0);
  assert.equal(error.message.includes("\n"), false, error.message);
  for (const { message, line } of error.problems) {
    assert.match(message, /^\S/);
    assert.doesNotMatch(message, /undefined|\[object|NaN line/, message);
    assert.ok(line === undefined || (Number.isInteger(line) && line >= 1 && line <= lines), `${line}: ${message}`);
  }
}

const value = fc.oneof(
  fc.constantFrom("true", "-1", "0", "1.5", "nan", "1979-05-27", "07:30:00", '""', '"x"', "[]", "[1]", "{}", "[{}]"),
  fc.constantFrom('{ name = "x" }', '["a", "a"]', "{ a.b = 1 }", "99999999999999999999", '"all"', "[[]]", '"\\u0000"'),
  fc.string({ maxLength: 8 }).filter((text) => text.isWellFormed()).map((text) => JSON.stringify(text)),
);

Deno.test("a file with any value under any key loads or is refused in words, never with a crash", async () => {
  const assignments = LINES.map((line, index) => ({ line, index })).filter(({ line }) => /^[\w"-][^=]*=/.test(line));
  const changes = fc.array(fc.tuple(fc.nat(assignments.length - 1), value), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(changes, async (list) => {
      const lines = [...LINES];
      for (const [which, written] of list) {
        const { line, index } = assignments[which]!;
        lines[index] = `${line.slice(0, line.indexOf("=") + 1)} ${written}`;
      }
      const text = lines.join("\n");
      assertTellable(await outcome(text), text);
    }),
    { numRuns: 300 },
  );
});

Deno.test("a single wrong value is told with its own line first or alone", async () => {
  const port = LINES.findIndex((line) => line.startsWith("port = 8000"));
  for (const written of ["true", '"x"', "[]", "{}", "1.5", "-1"]) {
    const text = LINES.with(port, `port = ${written}`).join("\n");
    const error = await outcome(text);
    assert.deepEqual(error?.problems.map(({ line }) => line), [port + 1], written);
  }
});

Deno.test("a file whose lines are lost, doubled or swapped loads or is refused in words", async () => {
  const moves = fc.array(
    fc.tuple(fc.constantFrom("lose", "double", "swap"), fc.nat(LINES.length - 1), fc.nat(LINES.length - 1)),
    { minLength: 1, maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(moves, async (list) => {
      const lines = [...LINES];
      for (const [move, one, other] of list) {
        if (move === "lose") lines[one] = "";
        else if (move === "double") lines.splice(other, 0, lines[one] ?? "");
        else [lines[one], lines[other]] = [lines[other] ?? "", lines[one] ?? ""];
      }
      const text = lines.join("\n");
      assertTellable(await outcome(text), text);
    }),
    { numRuns: 200 },
  );
});

Deno.test("any text at all loads or is refused in words", async () => {
  const scrap = fc.oneof(
    fc.constantFrom("[", "]", "=", '"', "'", "\n", "#", "{", "}", ".", ",", "web", "agents", "assistant", "[[", "]]"),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(scrap, { maxLength: 25 }), async (parts) => {
      const text = parts.join("");
      fc.pre(text.isWellFormed());
      const error = await outcome(text);
      assert.ok(error instanceof ConfigError, "no such text declares an agent");
    }),
    { numRuns: 500 },
  );
});

Deno.test("tables named like an object's own parts are names like any other", async () => {
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype"]) {
    const sections = ["agents", "reviewers", "toolsets", "terrariums", "scheduling.task"];
    const text = ["[agents.assistant]", ...sections.map((section) => `[${section}.${name}]\nnonsense = 1`)].join("\n");
    const error = await outcome(text);
    const told = error?.problems.filter(({ message }) => message.includes("nonsense")) ?? [];
    assert.equal(told.length, sections.length, name);
    assert.equal(({} as Record<string, unknown>).nonsense, undefined);
  }
});
