import assert from "node:assert/strict";
import { join } from "node:path";
import { NextMessage, pathOf } from "../../cli/next_message.ts";
import { Wire } from "../../cli/wire.ts";
import { withServer } from "../web/test_server.ts";

const FOLDERS = { cwd: "/srv/kai", home: "/home/kai" };

Deno.test("pathOf() reads a path as it is typed, quoted, dropped or escaped", () => {
  assert.equal(pathOf(" notes.txt ", FOLDERS), "/srv/kai/notes.txt");
  assert.equal(pathOf("~/a.png", FOLDERS), "/home/kai/a.png");
  assert.equal(pathOf('"/tmp/my file.txt"', FOLDERS), "/tmp/my file.txt");
  assert.equal(pathOf("'my file.txt'", FOLDERS), "/srv/kai/my file.txt");
  assert.equal(pathOf("file:///tmp/my%20file.txt", FOLDERS), "/tmp/my file.txt");
  assert.equal(pathOf("/tmp/my\\ file.txt", FOLDERS), "/tmp/my file.txt");
});

Deno.test("the effort holds until it is changed, and rides on each message", () => {
  const next = new NextMessage(new Wire({ url: "", token: "" }, () => Promise.reject(new Error("none"))));
  assert.deepEqual(next.take(), {});
  assert.ok(next.think("High"));
  assert.deepEqual([next.take(), next.take()], [{ thinking: "high" }, { thinking: "high" }]);
  assert.ok(next.think("off"));
  assert.deepEqual(next.take(), { thinking: false });
  assert.equal(next.think("enormous"), false);
  assert.equal(next.effort, "off");
});

Deno.test("a file goes with one message, and comes back when that was refused; what is missing is told", async () => {
  await withServer(async (server) => {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(join(folder, "notes.txt"), "Aloha");
      const address = { url: server.server.url, token: server.token };
      const next = new NextMessage(new Wire(address, () => Promise.resolve(address)));
      await next.attach(join(folder, "notes.txt"));
      const taken = next.take();
      assert.deepEqual(taken.files?.map(({ name, bytes }) => [name, bytes]), [["notes.txt", 5]]);
      assert.deepEqual(next.take(), {});
      next.putBack(taken);
      assert.deepEqual(next.take(), taken);
      await assert.rejects(next.attach(join(folder, "gone.txt")), /There is no file ".*gone\.txt"$/);
      await assert.rejects(next.attach(folder), /is a folder/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
});
