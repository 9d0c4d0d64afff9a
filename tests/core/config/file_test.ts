import assert from "node:assert/strict";
import { join } from "node:path";
import { ConfigError } from "../../../core/config/mod.ts";
import { configFile, readConfigFile, replaceFile } from "../../../core/config/file.ts";
import { ConfigFolder } from "./config_on_disk.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("readConfigFile() gives the text, its bytes and their SHA-256", async () => {
  await using folder = await (await ConfigFolder.make()).write("abc");
  const file = await readConfigFile(folder.file, true);
  assert.equal(file.text, "abc");
  assert.equal(file.byteOrderMark, false);
  assert.equal(file.version, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

Deno.test("configFile() takes a byte order mark off the text, not off the bytes or the version", async () => {
  const [plain, marked] = await Promise.all([configFile("x", bytes("a")), configFile("x", bytes("\uFEFFa"))]);
  assert.deepEqual([marked.text, marked.byteOrderMark, marked.bytes.length], ["a", true, 4]);
  assert.notEqual(marked.version, plain.version);
});

Deno.test("replaceFile() replaces only what is still there", async () => {
  await using folder = await (await ConfigFolder.make()).write("old");
  assert.equal(await replaceFile(folder.file, bytes("new"), bytes("older")), false);
  assert.equal(await folder.read(), "old");
  assert.equal(await replaceFile(folder.file, bytes("new"), bytes("old")), true);
  assert.equal(await folder.read(), "new");
  assert.equal(await replaceFile(folder.file, bytes(""), bytes("new")), true);
  assert.equal(await folder.read(), "");
});

Deno.test("replaceFile() leaves no draft behind, whether it wrote or not", async () => {
  await using folder = await (await ConfigFolder.make()).write("old");
  await replaceFile(folder.file, bytes("new"), bytes("other"));
  await replaceFile(folder.file, bytes("new"), bytes("old"));
  assert.deepEqual((await Array.fromAsync(Deno.readDir(folder.root))).map(({ name }) => name), ["config.toml"]);
});

Deno.test("replaceFile() says so when the file is gone", async () => {
  await using folder = await ConfigFolder.make();
  await assert.rejects(replaceFile(folder.file, bytes("new"), bytes("old")), (error: Error) => {
    assert.ok(error instanceof ConfigError);
    assert.match(error.message, /The file cannot be written: /);
    return true;
  });
});

Deno.test("replaceFile() follows a chain of links to the file itself", async () => {
  await using folder = await (await ConfigFolder.make()).write("old");
  await Deno.mkdir(join(folder.root, "elsewhere"));
  await Deno.symlink(folder.file, join(folder.root, "elsewhere", "one"));
  await Deno.symlink("one", join(folder.root, "elsewhere", "two"));
  assert.equal(await replaceFile(join(folder.root, "elsewhere", "two"), bytes("new"), bytes("old")), true);
  assert.equal(await folder.read(), "new");
});
