import assert from "node:assert/strict";
import { join } from "node:path";
import { FileRefused } from "../../../core/files/file_refused.ts";
import { Reach } from "../../../core/files/reach.ts";

/** A home with links that lead out, secrets and Malama's own files in it, and a folder beside it. */
async function withTrap(body: (home: string, outside: string, reach: (roots?: string[]) => Reach) => Promise<void>) {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "malama-reach-" }));
  const [home, outside] = [join(base, "home"), join(base, "outside")];
  const data = join(home, ".malama/data");
  try {
    for (const folder of ["notes", ".ssh", ".config/gcloud", ".malama/data/downloads", "dotfiles"]) {
      await Deno.mkdir(join(home, folder), { recursive: true });
    }
    await Deno.mkdir(outside);
    await Deno.mkdir(`${home}2`);
    for (
      const file of [
        `${home}/notes/a.txt`,
        `${home}/.ssh/id`,
        `${home}/.netrc`,
        `${home}/dotfiles/npmrc`,
        `${home}/.malama/config.toml`,
        `${data}/token`,
        `${data}/downloads/export.md`,
        `${outside}/secret.txt`,
        `${home}2/secret.txt`,
      ]
    ) await Deno.writeTextFile(file, "text");
    await Deno.symlink(`${outside}/secret.txt`, `${home}/notes/link.txt`);
    await Deno.symlink(outside, `${home}/notes/out`);
    await Deno.symlink("../../outside", `${home}/notes/relative`);
    await Deno.symlink(`${home}/notes/out`, `${home}/notes/twice`);
    await Deno.symlink(`${home}/.ssh`, `${home}/notes/keys`);
    await Deno.symlink(`${home}/dotfiles/npmrc`, `${home}/.npmrc`);
    await Deno.symlink(data, `${home}/notes/data`);
    await Deno.symlink(`${outside}/nothing.txt`, `${home}/notes/dangling.txt`);
    await Deno.symlink(`${home}/notes/loop`, `${home}/notes/loop`);
    await Deno.symlink(`${home}/notes/a.txt`, `${home}/inside.txt`);
    const reach = (roots: string[] = []) =>
      new Reach({
        home,
        roots,
        own: [data, join(home, ".malama/config.toml")],
        guarded: [join(home, ".malama")],
        readable: [join(data, "downloads")],
      });
    await body(home, outside, reach);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

Deno.test("File served by model-given path: no spelling leads out, to a secret, or to Malama's own files", () =>
  withTrap(async (home, outside, reach) => {
    const spellings = [
      "/etc/passwd",
      "//etc/passwd",
      "/etc/../etc/passwd",
      "/proc/self/environ",
      "/proc/1/root/etc/passwd",
      "/dev/mem",
      "/",
      "..",
      "../",
      "~/..",
      "../outside/secret.txt",
      "../../../../../../etc/passwd",
      "notes/../../outside/secret.txt",
      "notes/./../../outside/secret.txt",
      "./../outside",
      "~/../outside/secret.txt",
      "~/notes/../../outside/secret.txt",
      `${outside}/secret.txt`,
      `${home}/../outside/secret.txt`,
      `${home}2/secret.txt`,
      "../home2/secret.txt",
      "notes/link.txt",
      "notes/out/secret.txt",
      "notes/out/new.txt",
      "notes/out",
      "notes/relative/secret.txt",
      "notes/twice/secret.txt",
      "notes/dangling.txt",
      "notes/loop",
      "notes/loop/x",
      "notes/keys/id",
      "notes/keys",
      ".ssh/id",
      ".ssh/id/../id",
      "./.ssh",
      "notes/../.ssh/id",
      "~/.ssh/new_key",
      ".netrc",
      ".config/gcloud/credentials.db",
      ".npmrc",
      "dotfiles/npmrc",
      ".malama/data/token",
      ".malama/data",
      ".malama/data/downloads/../token",
      ".malama/config.toml",
      ".malama",
      "notes/data/token",
      "file:///etc/passwd",
      `file://${home}/notes/a.txt`,
      "FILE:/etc/passwd",
      "http://localhost/x",
      "notes/a.txt\0.png",
      "\0",
      "",
      "   ",
      "\t",
      "a/".repeat(3000),
      "x".repeat(300),
    ];
    assert.ok(spellings.length >= 40);
    for (const spelling of spellings) {
      for (const purpose of ["read", "write"] as const) {
        await assert.rejects(reach().locate(spelling, purpose), FileRefused, `${purpose} ${JSON.stringify(spelling)}`);
      }
    }
  }));

Deno.test("what lies inside is found by every ordinary spelling, by a link that stays inside too", () =>
  withTrap(async (home, _, reach) => {
    const spellings = [
      "notes/a.txt",
      "~/notes/a.txt",
      `${home}/notes/a.txt`,
      "./notes/../notes/a.txt",
      "notes//a.txt",
      "inside.txt",
    ];
    for (const spelling of spellings) {
      const place = await reach().locate(spelling, "read");
      assert.deepEqual(place, { path: `${home}/notes/a.txt`, shown: "~/notes/a.txt" }, spelling);
    }
  }));

Deno.test("what is to be made lies where its folders lie; percent signs and backslashes are letters like any other", () =>
  withTrap(async (home, _, reach) => {
    for (const path of ["new/deep/b.txt", "..%2f..%2fetc", "%2e%2e/x", "..\\..\\etc", "~root", "$HOME", "a\nb"]) {
      assert.equal((await reach().locate(path, "write")).path, `${home}/${path}`);
      await assert.rejects(reach().locate(path, "read"), { kind: "missing" });
    }
  }));

Deno.test("exports can be read where they lie in the data folder, and not written", () =>
  withTrap(async (home, _, reach) => {
    const path = ".malama/data/downloads/export.md";
    assert.equal((await reach().locate(path, "read")).path, join(home, path));
    await assert.rejects(reach().locate(path, "write"), { kind: "reach" });
    await assert.rejects(reach().locate(".malama/data/downloads/new.md", "write"), { kind: "reach" });
  }));

Deno.test("a folder outside is open when it is named; a place of secrets only when it is named itself, or a place in it", () =>
  withTrap(async (home, outside, reach) => {
    const wide = reach(["~", outside]);
    assert.equal((await wide.locate("notes/link.txt", "read")).path, `${outside}/secret.txt`);
    await assert.rejects(wide.locate(".ssh/id", "read"), { kind: "reach" });
    await assert.rejects(reach(["/"]).locate("/proc/self/environ", "read"), { kind: "reach" });
    const named = reach(["~", "~/.ssh", ".malama"]);
    assert.equal((await named.locate("notes/keys/id", "read")).path, `${home}/.ssh/id`);
    assert.equal((await named.locate(".malama/skills/x.md", "write")).path, `${home}/.malama/skills/x.md`);
    for (const path of [".malama/data/token", ".malama/config.toml"]) {
      await assert.rejects(named.locate(path, "read"), { kind: "reach" }, path);
    }
    await assert.rejects(reach(["~/.malama/data"]).locate(".malama/data/token", "read"), { kind: "reach" });
  }));

Deno.test("no answer tells whether there is something outside", () =>
  withTrap(async (_, outside, reach) => {
    const said = async (path: string) => await reach().locate(path, "read").then(() => "", (error) => String(error));
    assert.equal(await said(`${outside}/secret.txt`), await said(`${outside}/nothing-at-all`));
    assert.equal(await said("~/.ssh/id"), await said("~/.ssh/nothing-at-all"));
  }));

Deno.test("a home that is reached by a link is the home all the same", () =>
  withTrap(async (home, outside, _) => {
    await Deno.symlink(home, `${outside}/me`);
    const reach = new Reach({ home: `${outside}/me`, roots: [], own: [], readable: [] });
    assert.equal((await reach.locate("notes/a.txt", "read")).path, `${home}/notes/a.txt`);
    await assert.rejects(reach.locate(".ssh/id", "read"), { kind: "reach" });
    await assert.rejects(reach.locate("notes/keys/id", "read"), { kind: "reach" });
  }));

Deno.test("names with control characters or turned writing are shown quoted", () => {
  const reach = new Reach({ home: "/home/x", roots: [], own: [], readable: [] });
  assert.equal(reach.show("/home/x/a\nb"), '"~/a\\nb"');
  assert.equal(reach.show("/home/x/a\u202eb"), '"~/a\\u202eb"');
  assert.equal(reach.show("/home/x"), "~");
  assert.equal(reach.show("/home/xy"), "/home/xy");
});
