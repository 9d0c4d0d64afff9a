import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { type LogFileOptions, openLogFile } from "../../cli/log_file.ts";

const NOW = new Date("2026-11-30T08:09:10.111Z");

function withFolder(run: (folder: string) => void): void {
  const folder = Deno.makeTempDirSync();
  try {
    run(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function options(folder: string, more: Partial<LogFileOptions> = {}): LogFileOptions {
  return { folder, level: "INFO", now: () => NOW, ...more };
}

function lines(path: string): string[] {
  return Deno.readTextFileSync(path).split("\n").filter((line) => line !== "");
}

Deno.test("openLogFile() writes the time, the level, the subsystem and the message", () =>
  withFolder((folder) => {
    const log = openLogFile(options(folder));
    log.report("INFO", "turn", "Turn 01J done in 1.2 s");
    log.close();
    assert.deepEqual(lines(log.path), ["2026-11-30T08:09:10.111Z  INFO     turn      Turn 01J done in 1.2 s"]);
  }));

Deno.test("openLogFile() makes nothing on disk before the first line", () =>
  withFolder((folder) => {
    const log = openLogFile(options(join(folder, "logs")));
    assert.deepEqual([...Deno.readDirSync(folder)], []);
    log.report("INFO", "start", "Started");
    assert.equal([...Deno.readDirSync(folder)][0]?.name, "logs");
    log.close();
  }));

Deno.test(
  "openLogFile() keeps the file from others",
  { ignore: Deno.build.os === "windows" },
  () =>
    withFolder((folder) => {
      const log = openLogFile(options(join(folder, "logs")));
      log.report("INFO", "start", "Started");
      log.close();
      assert.equal(Deno.statSync(log.path).mode! & 0o777, 0o600);
      assert.equal(Deno.statSync(join(folder, "logs")).mode! & 0o777, 0o700);
    }),
);

Deno.test("openLogFile() leaves out what is below its level", () =>
  withFolder((folder) => {
    const log = openLogFile(options(folder, { level: "WARNING" }));
    log.report("DEBUG", "turn", "a");
    log.report("INFO", "turn", "b");
    log.report("WARNING", "turn", "c");
    log.report("ERROR", "turn", "d");
    log.close();
    assert.deepEqual(lines(log.path).map((line) => line.at(-1)), ["c", "d"]);
  }));

Deno.test("openLogFile() goes on with the file that is there", () =>
  withFolder((folder) => {
    for (const message of ["first", "second"]) {
      const log = openLogFile(options(folder));
      log.report("INFO", "start", message);
      log.close();
    }
    assert.equal(lines(join(folder, "malama.log")).length, 2);
  }));

Deno.test("openLogFile() writes one event as one line without control characters, however long it is", () =>
  withFolder((folder) => {
    const log = openLogFile(options(folder));
    log.report("ERROR", "model", "first\nsecond\r\n\u001b[31mthird " + "x".repeat(10_000));
    log.close();
    const written = lines(log.path);
    assert.equal(written.length, 1);
    assert.match(written[0]!, /first ⏎ second ⏎ third x/);
    assert.ok(written[0]!.length <= 4_000);
  }));

Deno.test("openLogFile() turns the files over, the newest being malama.log and the oldest the one that goes", () =>
  withFolder((folder) => {
    const log = openLogFile(options(folder, { maxBytes: 60, files: 3 }));
    for (const letter of "abcde") log.report("INFO", "turn", letter);
    log.close();
    assert.deepEqual([...Deno.readDirSync(folder)].map((entry) => entry.name).sort(), [
      "malama.log",
      "malama.log.1",
      "malama.log.2",
    ]);
    assert.equal(lines(log.path)[0]!.at(-1), "e");
    assert.equal(lines(`${log.path}.1`)[0]!.at(-1), "d");
    assert.equal(lines(`${log.path}.2`)[0]!.at(-1), "c");
  }));

Deno.test("openLogFile() keeps within its number and size of files, and loses only the oldest lines", () => {
  const messages = fc.array(fc.string({ maxLength: 40 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(messages, fc.integer({ min: 1, max: 4 }), (texts, files) =>
      withFolder((folder) => {
        const log = openLogFile(options(folder, { maxBytes: 300, files }));
        texts.forEach((text, index) => log.report("INFO", "turn", `${index} ${text}`));
        log.close();
        const names = [...Deno.readDirSync(folder)].map((entry) => entry.name);
        assert.ok(names.length <= files);
        for (const name of names) assert.ok(Deno.statSync(join(folder, name)).size <= 300);
        const ages = names.map((name) => Number(name.split(".")[2] ?? 0)).sort((a, b) => b - a);
        const numbers = ages.flatMap((age) => lines(age === 0 ? log.path : `${log.path}.${age}`))
          .map((line) => Number(line.split(/ {2,}/)[3]!.split(" ")[0]));
        assert.deepEqual(numbers, Array.from({ length: numbers.length }, (_, n) => texts.length - numbers.length + n));
      })),
    { numRuns: 40 },
  );
});

Deno.test("openLogFile() goes on when the log cannot be written, and says later how many lines were lost", () =>
  withFolder((folder) => {
    const blocked = join(folder, "logs");
    Deno.writeTextFileSync(blocked, "a file where the folder should be");
    const log = openLogFile(options(blocked));
    log.report("INFO", "turn", "a");
    log.report("INFO", "turn", "b");
    Deno.removeSync(blocked);
    log.report("INFO", "turn", "c");
    log.close();
    assert.match(lines(log.path)[0]!, /2 lines could not be written before this one/);
    assert.equal(lines(log.path)[1]!.at(-1), "c");
  }));

Deno.test("openLogFile() writes nothing after close()", () =>
  withFolder((folder) => {
    const log = openLogFile(options(folder));
    log.close();
    log.report("INFO", "turn", "late");
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  }));
