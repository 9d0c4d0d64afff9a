import assert from "node:assert/strict";
import { join } from "node:path";
import { createDownloads, type Downloads } from "../../../core/downloads/mod.ts";
import { openDownload } from "../../../web/stored_file.ts";

async function withFolder(body: (downloads: Downloads, folder: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "malama-downloads-" });
  try {
    await body(createDownloads(join(root, "downloads")), join(root, "downloads"));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("put() makes a file of pieces, counts it, and says where it lies and where the page has it", () =>
  withFolder(async (downloads, folder) => {
    async function* pieces() {
      yield "one\n";
      yield await Promise.resolve(new TextEncoder().encode("Mālama\n"));
    }
    assert.deepEqual(await downloads.put("Übersicht.md", pieces()), {
      name: "Übersicht.md",
      path: join(folder, "Übersicht.md"),
      link: "/downloads/%C3%9Cbersicht.md",
      bytes: 12,
      lines: 2,
    });
    assert.equal(await Deno.readTextFile(join(folder, "Übersicht.md")), "one\nMālama\n");
    assert.equal((await Deno.stat(join(folder, "Übersicht.md"))).mode! & 0o777, 0o600);
  }));

Deno.test("whatever a file is to be called, it lies in the folder under a bare name (K-317)", () =>
  withFolder(async (downloads, folder) => {
    const names = [
      "../../etc/passwd",
      "/etc/passwd",
      "..",
      ".hidden",
      "a\0b.mp3",
      "a/b\\c.txt",
      "",
      "x".repeat(500) + ".md",
    ];
    names.push("声".repeat(200) + ".mp3", "𝒳".repeat(200), "\u0301a.md");
    for (const name of [...names, "\u202egpj.exe", "con:stream", "-rf", "a.\n.b", "%2e%2e%2fx"]) {
      const made = await downloads.put(name, ["x"]);
      assert.match(made.name, /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,140}$/u, JSON.stringify(name));
      assert.equal(made.path, join(folder, made.name));
      const served = await openDownload(folder, made.name);
      assert.equal(served?.bytes, 1, JSON.stringify(made.name));
      if (served?.body instanceof ReadableStream) await served.body.cancel();
    }
  }));

Deno.test("no file takes the place of another, of many at once neither", () =>
  withFolder(async (downloads, folder) => {
    const made = await Promise.all(Array.from({ length: 20 }, (_, at) => downloads.put("a.tar.gz", [String(at)])));
    assert.equal(new Set(made.map(({ name }) => name)).size, 20);
    const contents = await Promise.all(made.map(({ path }) => Deno.readTextFile(path)));
    assert.deepEqual(contents, Array.from({ length: 20 }, (_, at) => String(at)));
    assert.equal([...Deno.readDirSync(folder)].length, 20);
  }));

Deno.test("a file whose pieces fail is not there at all", () =>
  withFolder(async (downloads, folder) => {
    function* pieces() {
      yield "one";
      throw new Error("the source broke");
    }
    await assert.rejects(downloads.put("a.txt", pieces()), /the source broke/);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  }));
