import assert from "node:assert/strict";
import { fs } from "../../toolsets/fs.ts";
import { fsWrite } from "../../toolsets/fs_write.ts";
import { type FsFixture, openHome } from "./fs/fs_fixture.ts";
import { callTool, toolsetContext } from "./toolset_fixture.ts";

const use = (fixture: FsFixture, call = {}) => {
  const given = { services: fixture.services, settings: { roots: fixture.home }, call };
  return {
    list: async (path: string) => String(await callTool(fs, "list_directory", { path }, given)),
    read: async (path: string, rest = {}) => String(await callTool(fs, "read_file", { path, ...rest }, given)),
    write: async (path: string, content: string) =>
      String(await callTool(fsWrite, "write_file", { path, content }, given)),
    edit: async (path: string, old_text: string, new_text: string) =>
      String(await callTool(fsWrite, "edit_file", { path, old_text, new_text }, given)),
  };
};

Deno.test("the tools of fs and fs_write are exactly these (K section 6.2)", () => {
  const names = [fs, fsWrite].map((toolset) => toolset.tools(toolsetContext(toolset)).map((tool) => tool.spec.name));
  assert.deepEqual(names, [["list_directory", "read_file"], ["write_file", "edit_file"]]);
  assert.ok(fsWrite.tools(toolsetContext(fsWrite)).every((tool) => !tool.concurrent));
});

Deno.test("list_directory names folders first, links with where they lead, and sizes", async () => {
  await using fixture = await openHome();
  const { list } = use(fixture);
  await Deno.mkdir(`${fixture.home}/notes/z`);
  await Deno.writeTextFile(`${fixture.home}/notes/two\nlines`, "");
  const lines = (await list(`${fixture.home}/notes`)).split("\n");
  assert.equal(lines[1], "z/");
  assert.ok(lines.includes("a.txt (25 bytes)"), lines.join("\n"));
  assert.ok(lines.includes('"two\\nlines" (0 bytes)'));
  assert.ok(lines.some((line) => line.startsWith("link.txt -> ")));
  assert.match(await list(`${fixture.home}/missing`), /^There is nothing at .*missing/);
  assert.match(await list(`${fixture.home}/notes/a.txt`), /is not a folder/);
});

Deno.test("read_file gives a window and says how to go on (K section 17.4)", async () => {
  await using fixture = await openHome();
  const { read } = use(fixture);
  const path = `${fixture.home}/long.txt`;
  await Deno.writeTextFile(path, Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`).join("\n"));
  const first = await read(path);
  assert.ok(first.startsWith("line 1\n"));
  assert.ok(first.endsWith("[lines 1 to 2000; the file goes on: read on with offset 2001]"));
  assert.ok((await read(path, { offset: 4999 })).endsWith("line 5000\n[lines 4999 to 5000, the end of the file]"));
  assert.match(await read(path, { offset: 6000 }), /has 5000 lines: line 6000 is past its end/);
  await Deno.writeTextFile(`${fixture.home}/empty.txt`, "");
  assert.match(await read(`${fixture.home}/empty.txt`), /is empty/);
});

Deno.test("read_file reads other encodings and one endless line, and no data that is not text (T-151)", async () => {
  await using fixture = await openHome();
  const { read } = use(fixture);
  const wide = new Uint8Array([0xff, 0xfe, 0x68, 0, 0x69, 0]);
  await Deno.writeFile(`${fixture.home}/wide.txt`, wide);
  assert.equal(await read(`${fixture.home}/wide.txt`), "hi");
  await Deno.writeTextFile(`${fixture.home}/line.txt`, "x".repeat(3_000_000));
  const line = await read(`${fixture.home}/line.txt`);
  assert.ok(line.endsWith("[cut here: the line has 3000000 characters]"));
  assert.ok(line.length < 3000);
  await Deno.writeFile(`${fixture.home}/data.bin`, new Uint8Array([1, 2, 0, 4]));
  assert.match(await read(`${fixture.home}/data.bin`), /is not text/);
  assert.match(await read(`${fixture.home}/notes`), /is a folder: list it/);
});

Deno.test("write_file writes what is new, and replaces only what was read and is unchanged (T-149)", async () => {
  await using fixture = await openHome();
  const { read, write } = use(fixture);
  const path = `${fixture.home}/notes/a.txt`;
  assert.match(await write(`${fixture.home}/new/b.txt`, "one\ntwo\n"), /^Wrote .*\/new\/b\.txt: 2 lines/);
  assert.match(await write(path, "other"), /exists and you have not read it/);
  await read(path);
  await Deno.writeTextFile(path, "changed by somebody else, meanwhile");
  assert.match(await write(path, "other"), /has changed since you read it/);
  await read(path);
  await Deno.chmod(path, 0o640);
  assert.match(await write(path, "other"), /^Replaced/);
  assert.equal(await Deno.readTextFile(path), "other");
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o640);
  assert.match(await write(path, "again"), /^Replaced/);
  const stranger = use(fixture, { conversation: "another" });
  assert.match(await stranger.write(path, "x"), /have not read it/);
  assert.deepEqual(
    (await Array.fromAsync(Deno.readDir(`${fixture.home}/notes`))).filter(({ name }) => /tmp/.test(name)),
    [],
  );
});

Deno.test("edit_file replaces one exact passage, keeps line ends, and answers what is absent or ambiguous", async () => {
  await using fixture = await openHome();
  const { read, edit } = use(fixture);
  const path = `${fixture.home}/crlf.txt`;
  await Deno.writeTextFile(path, "one\r\ntwo\r\none\r\n");
  await read(path);
  assert.match(await edit(path, "one\ntwo", "1\n$& 2"), /^Changed .* at line 1/);
  assert.equal(await Deno.readTextFile(path), "1\r\n$& 2\r\none\r\n");
  assert.match(await edit(path, "three", ""), /does not stand in/);
  await Deno.writeTextFile(path, "a a");
  await read(path);
  assert.match(await edit(path, "a", "b"), /stands in .* 2 times/);
  assert.match(await edit(`${fixture.home}/none.txt`, "a", "b"), /There is nothing at/);
});

Deno.test("a path that leads out is answered with a sentence, and nothing is written there", async () => {
  await using fixture = await openHome();
  const { read, write } = use(fixture);
  assert.match(await read(`${fixture.home}/notes/link.txt`), /is outside of the open folders/);
  assert.match(await write(`${fixture.home}/notes/out/new.txt`, "x"), /is outside of the open folders/);
  assert.match(await write(`${fixture.home}/own/token`, "x"), /is closed to tools/);
  assert.match(await write(`${fixture.home}/notes/dangling.txt`, "x"), /leads nowhere/);
  await assert.rejects(Deno.stat(`${fixture.outside}/new.txt`), Deno.errors.NotFound);
});
