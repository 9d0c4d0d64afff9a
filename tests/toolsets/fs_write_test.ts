import assert from "node:assert/strict";
import { join } from "node:path";
import type { ToolContext } from "../../core/tool/mod.ts";
import { fs } from "../../toolsets/fs.ts";
import { fsWrite } from "../../toolsets/fs_write.ts";
import { type Home, withHome } from "./files_fixture.ts";
import { callTool, toolsetContext } from "./toolset_fixture.ts";

function toolsOf({ services }: Home, call: Partial<ToolContext> = {}) {
  const given = { services, call };
  return {
    read: async (path: string, rest = {}) => String(await callTool(fs, "read_file", { path, ...rest }, given)),
    write: async (path: string, content: string) =>
      String(await callTool(fsWrite, "write_file", { path, content }, given)),
    edit: async (path: string, old_text: string, new_text: string) =>
      String(await callTool(fsWrite, "edit_file", { path, old_text, new_text }, given)),
  };
}

const drafts = (folder: string) => [...Deno.readDirSync(folder)].filter(({ name }) => name.endsWith(".new"));

Deno.test("fs_write has exactly these tools, neither of which runs beside another unsafe one (K section 6.2)", () => {
  const tools = fsWrite.tools(toolsetContext(fsWrite));
  assert.deepEqual(tools.map(({ spec }) => spec.name), ["write_file", "edit_file"]);
  assert.ok(tools.every(({ concurrent }) => !concurrent));
});

Deno.test("write_file makes a new file, with the folders it needs", () =>
  withHome(async (home) => {
    assert.equal(
      await toolsOf(home).write("new/deep/a.txt", "Mālama\n"),
      "Made ~/new/deep/a.txt, 8 bytes. To undo, the person deletes it.",
    );
    assert.equal(await home.text("new/deep/a.txt"), "Mālama\n");
  }));

Deno.test("write_file replaces only what this agent has read in this conversation and nobody changed since (T-149)", () =>
  withHome(async (home) => {
    const path = await home.write("a.txt", "one");
    const { read, write, edit } = toolsOf(home);
    assert.match(await write("a.txt", "two"), /is there already, and you have not read it .*Nothing was written/);
    assert.match(await edit("a.txt", "one", "two"), /you have not read it/);
    await read("a.txt");
    await Deno.writeTextFile(path, "changed outside");
    assert.match(await write("a.txt", "two"), /changed since you read it: read it again first/);
    assert.equal(await home.text("a.txt"), "changed outside");
    await read("a.txt");
    assert.match(await write("a.txt", "two"), /^Replaced ~\/a\.txt, 3 bytes\./);
    assert.match(await write("a.txt", "three"), /^Replaced/, "its own writing is known to it");
    for (const stranger of [{ conversation: "another" }, { agent: "coder" }]) {
      assert.match(await toolsOf(home, stranger).write("a.txt", "x"), /you have not read it/);
    }
    assert.equal(await home.text("a.txt"), "three");
  }));

Deno.test("what was read through a link counts for the file, and writing through it keeps the link", () =>
  withHome(async (home) => {
    await home.write("a.txt", "one");
    await Deno.symlink("a.txt", join(home.home, "link.txt"));
    const { read, write } = toolsOf(home);
    await read("a.txt");
    assert.match(await write("link.txt", "two"), /^Replaced ~\/a\.txt/);
    assert.equal(await home.text("a.txt"), "two");
    assert.ok((await Deno.lstat(join(home.home, "link.txt"))).isSymlink);
  }));

Deno.test("write_file does not lose the end of a file of which a window was read; edit_file may change it (K-333)", () =>
  withHome(async (home) => {
    await home.write("long.txt", Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n"));
    const { read, write, edit } = toolsOf(home);
    await read("long.txt", { max_lines: 10 });
    assert.match(await write("long.txt", "short"), /read only a part of .* or use edit_file/);
    await read("long.txt", { offset: 21 });
    assert.match(await write("long.txt", "short"), /read only a part of/, "lines 11 to 20 are not read");
    await read("long.txt", { offset: 11, max_lines: 10 });
    await read("long.txt", { offset: 21 });
    assert.match(await edit("long.txt", "line 3\n", "line three\n"), /^Edited ~\/long\.txt at line 4/);
    assert.match(await write("long.txt", "short"), /^Replaced/);
  }));

Deno.test("a file keeps its mode, its line ends and its mark when it is replaced, and no draft stays behind", () =>
  withHome(async (home) => {
    const path = await home.write("a.sh", "\uFEFFone\r\ntwo\r\n");
    await Deno.chmod(path, 0o750);
    const { read, write } = toolsOf(home);
    await read("a.sh");
    await write("a.sh", "1\n2\r\n3\n");
    assert.deepEqual(await Deno.readFile(path), new TextEncoder().encode("\uFEFF1\r\n2\r\n3\r\n"));
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o750);
    assert.deepEqual(drafts(home.home), []);
  }));

Deno.test("a file is written under as long a name as the system takes, in any writing", () =>
  withHome(async (home) => {
    const { write } = toolsOf(home);
    for (const name of ["x".repeat(255), "声".repeat(85), "𝒳".repeat(63)]) {
      assert.match(await write(name, "one"), /^Made /);
      assert.match(await write(name, "two"), /^Replaced /);
      assert.equal(await home.text(name), "two");
    }
  }));

Deno.test("what was there before is kept with the conversation, and the answer says how to undo", () =>
  withHome(async (home) => {
    await home.write("a.txt", "one");
    const { read, write, edit } = toolsOf(home);
    await read("a.txt");
    assert.match(await write("a.txt", "two"), /What was there before is kept at \/payloads\/C-1/);
    assert.deepEqual(home.kept.get("C-1"), new TextEncoder().encode("one"));
    assert.match(await edit("a.txt", "two", "three"), /To undo, call edit_file with the two texts exchanged\./);
    assert.equal(await write("a.txt", "three"), "~/a.txt says just that already: nothing was written.");
    assert.equal(home.kept.size, 2);
  }));

Deno.test("edit_file replaces one exact passage, keeps line ends and signs, and answers what is absent or ambiguous", () =>
  withHome(async (home) => {
    await home.write("a.txt", "one\r\ntwo\r\none\r\n\tthree  four\r\n");
    const { read, edit } = toolsOf(home);
    await read("a.txt");
    assert.match(await edit("a.txt", "one\ntwo", "1\n$& $1"), /^Edited ~\/a\.txt at line 1/);
    assert.equal(await home.text("a.txt"), "1\r\n$& $1\r\none\r\n\tthree  four\r\n");
    assert.match(await edit("a.txt", "five", ""), /is not in ~\/a\.txt: read it again and copy .* Nothing was written/);
    assert.match(await edit("a.txt", "three four", ""), /at line 4 the same words stand with other blanks/);
    assert.match(await edit("a.txt", "1", ""), /stands 2 times in ~\/a\.txt, first at line 1, 2/);
    assert.match(await edit("a.txt", "", "x"), /Say which text to replace/);
    assert.match(await edit("a.txt", "one", "one"), /nothing would change/);
    assert.match(await edit("none.txt", "a", "b"), /There is no file at ~\/none\.txt: make it with write_file/);
    assert.equal(await home.text("a.txt"), "1\r\n$& $1\r\none\r\n\tthree  four\r\n");
  }));

Deno.test("edit_file does not touch what it could damage: another encoding, what is no text, a folder, a link to nothing", () =>
  withHome(async (home) => {
    const { read, write, edit } = toolsOf(home);
    const old = await home.write("old.txt", new Uint8Array([0x4d, 0xfc, 0x6c, 0x6c]));
    await read("old.txt");
    assert.match(await edit("old.txt", "M", "N"), /is not UTF-8, and an edit could damage it/);
    assert.match(await write("old.txt", "Müll"), /It was windows-1252 and is UTF-8 now/);
    assert.equal(await Deno.readTextFile(old), "Müll");
    await home.write("data.bin", new Uint8Array([0, 1]));
    assert.match(await write("data.bin", "text"), /is no text, and is not replaced by one/);
    await Deno.mkdir(join(home.home, "folder"));
    assert.match(await write("folder", "text"), /is a folder/);
    await Deno.symlink(join(home.root, "nothing"), join(home.home, "dangling"));
    assert.match(await write("dangling", "text"), /leads nowhere/);
    await assert.rejects(Deno.stat(join(home.root, "nothing")), Deno.errors.NotFound);
  }));

Deno.test("nothing is written outside, into Malama's own files, its downloads, or where keys are kept", () =>
  withHome(async (home) => {
    const { write } = toolsOf(home);
    await Deno.symlink(home.root, join(home.home, "out"));
    const paths = [
      "../x",
      "/tmp/x",
      "out/x",
      ".malama/data/x",
      ".malama/data/downloads/x.html",
      ".ssh/authorized_keys",
    ];
    for (const path of paths) assert.match(await write(path, "x"), /outside of|closed to tools/, path);
    assert.deepEqual([...Deno.readDirSync(home.root)].map(({ name }) => name), ["home"]);
    assert.deepEqual([...Deno.readDirSync(join(home.data, "downloads"))], []);
  }));

Deno.test("a file whose folder cannot be written is left as it is, and the answer says why", {
  ignore: Deno.build.os === "windows" || Deno.uid() === 0,
}, () =>
  withHome(async (home) => {
    await home.write("shut/a.txt", "one");
    const { read, write } = toolsOf(home);
    await read("shut/a.txt");
    await Deno.chmod(join(home.home, "shut"), 0o500);
    try {
      assert.match(await write("shut/a.txt", "two"), /its owner or mode is in the way/);
    } finally {
      await Deno.chmod(join(home.home, "shut"), 0o700);
    }
    assert.equal(await home.text("shut/a.txt"), "one");
  }));

Deno.test("other names of a replaced file still show what was there, and the answer says so", () =>
  withHome(async (home) => {
    const path = await home.write("a.txt", "one");
    await Deno.link(path, join(home.home, "b.txt"));
    const { read, write } = toolsOf(home);
    await read("a.txt");
    assert.match(await write("a.txt", "two"), /had 1 other name\(s\), which still show what was there before/);
    assert.equal(await home.text("b.txt"), "one");
  }));
