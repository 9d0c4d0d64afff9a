import assert from "node:assert/strict";
import { join } from "node:path";
import { openStorage } from "../../core/storage/mod.ts";
import { findServer, readToken } from "../../cli/server_link.ts";
import { NotConnected } from "../../cli/wire.ts";

async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("findServer() finds none where nobody holds the folder", () =>
  withFolder(async (folder) => {
    assert.equal(await findServer(folder), null);
    assert.equal(await findServer(join(folder, "missing")), null);
  }));

Deno.test("findServer() gives the address that the holder announced, and the token beside it", () =>
  withFolder(async (folder) => {
    const storage = await openStorage({ dataDir: folder });
    await Deno.writeTextFile(join(folder, "token"), "secret\n");
    await storage.announceAddress("http://127.0.0.1:8000/base/");
    const running = await findServer(folder);
    assert.equal(running?.pid, Deno.pid);
    assert.deepEqual(await running?.address(), { url: "http://127.0.0.1:8000/base", token: "secret" });
    await storage.close();
  }));

Deno.test("findServer() waits for the address of a server that is starting", () =>
  withFolder(async (folder) => {
    const storage = await openStorage({ dataDir: folder });
    const running = await findServer(folder);
    const address = running!.address();
    await storage.announceAddress("http://127.0.0.1:9000");
    assert.deepEqual(await address, { url: "http://127.0.0.1:9000", token: "" });
    await storage.close();
  }));

Deno.test("findServer() does not wait for ever, nor for a server that ended", () =>
  withFolder(async (folder) => {
    const storage = await openStorage({ dataDir: folder });
    await assert.rejects((await findServer(folder, 0))!.address(), NotConnected);
    const running = await findServer(folder);
    await storage.close();
    await assert.rejects(running!.address(), NotConnected);
  }));

Deno.test("readToken() is empty where there is none", () =>
  withFolder(async (folder) => assert.equal(await readToken(folder), "")));
