import assert from "node:assert/strict";
import { join } from "node:path";
import { BadTokenFile, TokenFile } from "../../web/token_file.ts";

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("TokenFile makes a token of 256 bits with mode 0600", () =>
  inFolder(async (folder) => {
    const { current } = await TokenFile.open(join(folder, "data"));
    assert.equal(Uint8Array.fromBase64(current, { alphabet: "base64url" }).length, 32);
    const { mode } = await Deno.stat(join(folder, "data", "token"));
    assert.equal((mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("TokenFile keeps the token across restarts", () =>
  inFolder(async (folder) => {
    const first = await TokenFile.open(folder);
    assert.equal((await TokenFile.open(folder)).current, first.current);
  }));

Deno.test("TokenFile makes one token when opened many times at once", () =>
  inFolder(async (folder) => {
    await TokenFile.open(folder);
    const files = await Promise.all(Array.from({ length: 8 }, () => TokenFile.open(folder)));
    assert.equal(new Set(files.map(({ current }) => current)).size, 1);
  }));

Deno.test("TokenFile closes a file that stood open to others", () =>
  inFolder(async (folder) => {
    const path = join(folder, "token");
    await Deno.writeTextFile(path, "x".repeat(43), { mode: 0o644 });
    await Deno.chmod(path, 0o644);
    await TokenFile.open(folder);
    assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("TokenFile refuses a file that holds no token, and says what to do", () =>
  inFolder(async (folder) => {
    for (const text of ["", "short", "with a space in the middle of what is long enough", "ü".repeat(50)]) {
      await Deno.writeTextFile(join(folder, "token"), text);
      await assert.rejects(TokenFile.open(folder), (error: Error) => {
        assert.ok(error instanceof BadTokenFile);
        return /remove it/.test(error.message);
      });
    }
  }));

Deno.test("TokenFile says so when its place is taken by a folder, or its folder is gone", () =>
  inFolder(async (folder) => {
    const home = join(folder, "home");
    await Deno.mkdir(join(home, "token"), { recursive: true });
    await assert.rejects(TokenFile.open(home), (error: Error) => {
      assert.ok(error instanceof BadTokenFile);
      return /can be neither read nor made .*directory.*start Malama again/.test(error.message);
    });
    await Deno.remove(join(home, "token"));
    const token = await TokenFile.open(home);
    await Deno.remove(home, { recursive: true });
    await assert.rejects(token.refresh(), BadTokenFile);
  }));

Deno.test("refresh() tells of a rotated token, once", () =>
  inFolder(async (folder) => {
    const token = await TokenFile.open(folder);
    const old = token.current;
    let told = 0;
    token.onRotation(() => told++);
    assert.equal(await token.refresh(), false);
    await Deno.writeTextFile(token.file, "n".repeat(50));
    const results = await Promise.all([token.refresh(), token.refresh(), token.refresh()]);
    assert.deepEqual(results, [true, true, true]);
    assert.equal(await token.refresh(), false);
    assert.equal(told, 1);
    assert.notEqual(token.current, old);
  }));

Deno.test("refresh() stops telling a listener that left", () =>
  inFolder(async (folder) => {
    const token = await TokenFile.open(folder);
    let told = 0;
    token.onRotation(() => told++)();
    await Deno.writeTextFile(token.file, "n".repeat(50));
    await token.refresh();
    assert.equal(told, 0);
  }));

Deno.test("refresh() makes a new token when the file is gone", () =>
  inFolder(async (folder) => {
    const token = await TokenFile.open(folder);
    const old = token.current;
    await Deno.remove(token.file);
    assert.equal(await token.refresh(), true);
    assert.notEqual(token.current, old);
    assert.equal((await Deno.readTextFile(token.file)).trim(), token.current);
  }));

Deno.test("refresh() keeps the token while the file is empty", () =>
  inFolder(async (folder) => {
    const token = await TokenFile.open(folder);
    const old = token.current;
    await Deno.writeTextFile(token.file, "");
    assert.equal(await token.refresh(), false);
    assert.equal(token.current, old);
    await Deno.writeTextFile(token.file, "n".repeat(44));
    assert.equal(await token.refresh(), true);
    assert.equal(token.current, "n".repeat(44));
  }));
