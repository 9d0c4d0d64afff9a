import assert from "node:assert/strict";
import { join } from "node:path";
import { FILES } from "../../../core/files/mod.ts";
import { replaceFile } from "../../../core/files/replace_file.ts";
import { stateOf } from "../../../core/files/read_ledger.ts";
import { withHome } from "../../toolsets/files_fixture.ts";

const me = { conversation: "C", agent: "assistant" };
const whole = { offset: 1, maxLines: 2000, maxChars: 40_000, signal: new AbortController().signal };

Deno.test("of twenty writers at once, each writes whole or is told that it is late; the file is one of theirs", () =>
  withHome(async ({ home, services, write, text }) => {
    await write("a.txt", "0");
    const files = services.service(FILES);
    await files.read(me, "a.txt", whole);
    const texts = Array.from({ length: 20 }, (_, at) => String(at).repeat(5000));
    const outcomes = await Promise.allSettled(texts.map((content) => files.write(me, "a.txt", content)));
    const refused = outcomes.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
    assert.ok(refused.length < 20);
    for (const { reason } of refused) assert.equal(reason.kind, "stale");
    assert.ok(texts.includes(await text("a.txt")));
    assert.deepEqual([...Deno.readDirSync(home)].map(({ name }) => name).sort(), [".malama", "a.txt"]);
  }));

Deno.test("a file that comes or changes while another is written in its place is left as it is", () =>
  withHome(async ({ home, write, text }) => {
    const path = await write("a.txt", "old");
    const before = { state: stateOf(await Deno.lstat(path)), mode: 0o644 };
    await write("a.txt", "somebody else's");
    await assert.rejects(replaceFile(path, new TextEncoder().encode("mine"), before), { kind: "stale" });
    await assert.rejects(replaceFile(path, new TextEncoder().encode("mine"), null), { kind: "stale" });
    assert.equal(await text("a.txt"), "somebody else's");
    assert.deepEqual([...Deno.readDirSync(home)].map(({ name }) => name).sort(), [".malama", "a.txt"]);
  }));

Deno.test("a folder that becomes a link while a file is made in it leads nowhere else", () =>
  withHome(async ({ home, root }) => {
    await Deno.mkdir(join(home, "in"));
    await Deno.mkdir(join(root, "outside"));
    const path = join(home, "in/a.txt");
    await Deno.remove(join(home, "in"));
    await Deno.symlink(join(root, "outside"), join(home, "in"));
    await assert.rejects(replaceFile(path, new TextEncoder().encode("x"), null), { kind: "stale" });
    assert.deepEqual([...Deno.readDirSync(join(root, "outside"))], []);
  }));

Deno.test("bytes() gives a file as it is, up to a size, and folder() a folder to work in", () =>
  withHome(async ({ home, services, write }) => {
    await write("data.bin", new Uint8Array([0, 1, 2]));
    const files = services.service(FILES);
    assert.deepEqual((await files.bytes("data.bin", 3)).bytes, new Uint8Array([0, 1, 2]));
    await assert.rejects(files.bytes("data.bin", 2), { kind: "kind" });
    assert.equal(await files.folder("~"), home);
    await assert.rejects(files.folder("data.bin"), { kind: "kind" });
  }));
