import assert from "node:assert/strict";
import fc from "fast-check";
import { type FileWindow, readWindow } from "../../../core/files/window.ts";

const signal = new AbortController().signal;

async function windowOf(
  content: string | Uint8Array,
  options: { offset?: number; maxLines?: number; maxChars?: number } = {},
): Promise<FileWindow> {
  const path = await Deno.makeTempFile({ prefix: "malama-window-" });
  try {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.writeFile(path, bytes);
    using file = await Deno.open(path);
    return await readWindow(file, bytes.length, { offset: 1, maxLines: 2000, maxChars: 40_000, signal, ...options });
  } finally {
    await Deno.remove(path);
  }
}

/** The lines of a text, as an editor counts them. */
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, at) => at < text.split("\n").length - 1 && line.endsWith("\r") ? line.slice(0, -1) : line);
}

Deno.test("windows that follow each other give every line once, in order, whatever the lines and the bounds", async () => {
  const line = fc.string({ unit: fc.constantFrom("a", "ä", "𝒳", " ", "\r", "\t"), maxLength: 12 });
  const text = fc.array(line, { maxLength: 25 }).chain((lines) =>
    fc.constantFrom("\n", "\r\n").chain((end) => fc.constantFrom("", end).map((last) => lines.join(end) + last))
  );
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 26, max: 60 }),
      async (text, maxLines, maxChars) => {
        const wanted = linesOf(text);
        const found: string[] = [];
        for (let offset = 1;;) {
          const window = await windowOf(text, { offset, maxLines, maxChars });
          assert.equal(window.total, wanted.length);
          assert.ok(window.isEnd || window.lines.length > 0, "a window moves on");
          found.push(...window.lines);
          if (window.isEnd) break;
          offset += window.lines.length;
        }
        assert.deepEqual(found, wanted);
      },
    ),
    { numRuns: 150 },
  );
});

Deno.test("a line longer than a window is cut, and the window says how long it is; the next one follows", async () => {
  const text = `${"x".repeat(50)}\nshort\n`;
  const first = await windowOf(text, { maxChars: 10 });
  assert.deepEqual([first.lines, first.cutLine, first.isEnd, first.total], [["x".repeat(10)], 50, false, 2]);
  const second = await windowOf(text, { offset: 2, maxChars: 10 });
  assert.deepEqual([second.lines, second.cutLine, second.isEnd], [["short"], null, true]);
});

Deno.test("a cut never leaves half a character", async () => {
  const { lines } = await windowOf("𝒳𝒳𝒳", { maxChars: 3 });
  assert.deepEqual(lines, ["𝒳"]);
});

Deno.test("a character that two reads tear apart is whole", async () => {
  const text = `${"a".repeat(64 * 1024 - 1)}\n`.replace(/a\n$/, "ä\n") + "ü\n";
  const { lines, isDamaged } = await windowOf(text, { offset: 1, maxChars: 100_000 });
  assert.equal(lines.join("\n"), text.trimEnd());
  assert.equal(isDamaged, false);
});

Deno.test("the encoding, the line ends and bytes that are no text are told", async () => {
  const facts = async (content: string | Uint8Array) => {
    const { encoding, ending, isDamaged } = await windowOf(content);
    return [encoding, ending, isDamaged];
  };
  assert.deepEqual(await facts(""), ["utf-8", "none", false]);
  assert.deepEqual(await facts("one"), ["utf-8", "none", false]);
  assert.deepEqual(await facts("one\ntwo"), ["utf-8", "lf", false]);
  assert.deepEqual(await facts("one\r\ntwo\r\n"), ["utf-8", "crlf", false]);
  assert.deepEqual(await facts("one\r\ntwo\n"), ["utf-8", "mixed", false]);
  assert.deepEqual(await facts(new Uint8Array([0xfe, 0xff, 0, 104])), ["utf-16be", "none", false]);
  assert.deepEqual(await facts(new Uint8Array([0xe4, 10])), ["windows-1252", "lf", false]);
  const late = new Uint8Array(70_000).fill(97);
  late[69_000] = 0xff;
  late[69_001] = 10;
  assert.deepEqual(await facts(late), ["utf-8", "lf", false], "what is not shown is not complained of");
});

Deno.test("a mark at the beginning is no part of the first line", async () => {
  assert.deepEqual((await windowOf("\uFEFFone\n")).lines, ["one"]);
});

Deno.test("reading ends with the signal", async () => {
  const stop = AbortSignal.abort(new Error("stopped"));
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, "one\n");
  using file = await Deno.open(path);
  await assert.rejects(readWindow(file, 4, { offset: 1, maxLines: 1, maxChars: 10, signal: stop }), /stopped/);
  await Deno.remove(path);
});
