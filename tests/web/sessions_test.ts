import assert from "node:assert/strict";
import { SESSION_SECONDS, Sessions } from "../../web/sessions.ts";

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("Sessions: each session has its own id", () =>
  inFolder(async (folder) => {
    const sessions = await Sessions.open(folder, () => "token");
    const [first, second] = [await sessions.create(), await sessions.create()];
    assert.ok(await sessions.check(first));
    assert.notEqual(await sessions.check(first), await sessions.check(second));
  }));

Deno.test("Sessions: the cookie does not hold the token", () =>
  inFolder(async (folder) => {
    const sessions = await Sessions.open(folder, () => "secret-token-value");
    assert.ok(!(await sessions.create()).includes("secret-token-value"));
  }));

Deno.test("Sessions: rotation ends a session", () =>
  inFolder(async (folder) => {
    let token = "first";
    const sessions = await Sessions.open(folder, () => token);
    const cookie = await sessions.create();
    token = "second";
    assert.equal(await sessions.check(cookie), null);
  }));

Deno.test("Sessions: a changed cookie is none", () =>
  inFolder(async (folder) => {
    const sessions = await Sessions.open(folder, () => "token");
    const cookie = await sessions.create();
    const [id, ends, code] = cookie.split(".");
    const changed = [
      "",
      "..",
      `${id}.${ends}`,
      `${id}.${ends}.`,
      `${id}x.${ends}.${code}`,
      `${id}.${Number(ends) + 1}.${code}`,
      `${id}.${ends}.${code}.`,
      `${id}.${ends}.${code!.slice(0, -1)}`,
    ];
    for (const value of changed) assert.equal(await sessions.check(value), null, value);
  }));

Deno.test("Sessions: a session ends by itself", () =>
  inFolder(async (folder) => {
    let now = 0;
    const sessions = await Sessions.open(folder, () => "token", () => now);
    const cookie = await sessions.create();
    now = (SESSION_SECONDS - 1) * 1000;
    assert.ok(await sessions.check(cookie));
    now = SESSION_SECONDS * 1000;
    assert.equal(await sessions.check(cookie), null);
  }));

Deno.test("Sessions: end() survives a restart", () =>
  inFolder(async (folder) => {
    const sessions = await Sessions.open(folder, () => "token");
    const [ended, other] = [await sessions.create(), await sessions.create()];
    await sessions.end(ended);
    for (const each of [sessions, await Sessions.open(folder, () => "token")]) {
      assert.equal(await each.check(ended), null);
      assert.ok(await each.check(other));
    }
  }));

Deno.test("Sessions: end() of nonsense writes nothing", () =>
  inFolder(async (folder) => {
    const sessions = await Sessions.open(folder, () => "token");
    await sessions.end("a.99999999999.b");
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  }));

Deno.test("Sessions: what was signed out is forgotten when it would have ended", () =>
  inFolder(async (folder) => {
    let now = 0;
    const sessions = await Sessions.open(folder, () => "token", () => now);
    await sessions.end(await sessions.create());
    now = (SESSION_SECONDS + 1) * 1000;
    await sessions.end(await sessions.create());
    assert.equal((await Deno.readTextFile(`${folder}/signed_out`)).trim().split("\n").length, 1);
  }));
