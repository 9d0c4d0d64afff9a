import assert from "node:assert/strict";
import { join } from "node:path";
import { parse } from "@decimalturn/toml-patch";
import { grantTable, missingGrants, readGrants } from "../../../core/sandbox/grants.ts";
import { permissionFlags } from "../../../core/sandbox/deno_child.ts";

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("readGrants() gives nothing when nothing was granted, whatever is wanted", async () => {
  const { permissions, refused } = await readGrants({}, "/");
  assert.deepEqual(permissions, {});
  assert.deepEqual(refused, []);
  assert.deepEqual(permissionFlags(permissions), []);
});

Deno.test("readGrants() starts a relative path at the folder of the config file", () =>
  withFolder(async (folder) => {
    await Deno.mkdir(join(folder, "notes"));
    const { permissions } = await readGrants({ read: ["./notes", "notes/../notes"] }, folder);
    assert.deepEqual(permissions.read, [join(folder, "notes")]);
  }));

Deno.test("readGrants() follows a link, so that what is granted is where it leads", () =>
  withFolder(async (folder) => {
    await Deno.mkdir(join(folder, "real"));
    await Deno.symlink(join(folder, "real"), join(folder, "link"));
    const { permissions } = await readGrants({ write: ["link", "link/new/file"] }, folder);
    assert.deepEqual(permissions.write, [join(folder, "real"), join(folder, "real/new/file")]);
  }));

Deno.test("readGrants() refuses what the flags would read as several or as everything, and names it", () =>
  withFolder(async (folder) => {
    const { permissions, refused } = await readGrants(
      { net: ["*", "a.example", "b.example,c.example"], env: ["", "SECRET_*", "LANG"], read: ["a,/etc", "x\ny"] },
      folder,
    );
    assert.deepEqual(permissions, { net: ["a.example"], env: ["LANG"] });
    assert.deepEqual(refused.map(({ kind, value }) => `${kind} ${value}`), [
      "net *",
      "net b.example,c.example",
      "read a,/etc",
      "read x\ny",
      "env ",
      "env SECRET_*",
    ]);
  }));

Deno.test("readGrants() refuses an innocent link that leads to a path with a comma", () =>
  withFolder(async (folder) => {
    await Deno.mkdir(join(folder, "a,b"));
    await Deno.symlink(join(folder, "a,b"), join(folder, "plain"));
    const { permissions, refused } = await readGrants({ read: ["plain"] }, folder);
    assert.deepEqual(permissions, {});
    assert.equal(refused[0]?.value, "plain");
  }));

Deno.test("readGrants() refuses a link that leads nowhere, and what would be behind it", () =>
  withFolder(async (folder) => {
    await Deno.symlink(join(folder, "elsewhere/new"), join(folder, "link"));
    const { permissions, refused } = await readGrants({ write: ["link", "link/file"] }, folder);
    assert.deepEqual(permissions, {});
    assert.deepEqual(refused.map(({ value }) => value), ["link", "link/file"]);
    assert.deepEqual(await missingGrants({ write: ["link"] }, { write: [folder] }, folder), { write: ["link"] });
  }));

Deno.test("missingGrants() takes a host without a port for all of its ports, and no longer host", async () => {
  const wanted = { net: ["api.example:443", "api.example.org", "other.example"] };
  const missing = await missingGrants(wanted, { net: ["api.example", "other.example:80"] }, "/");
  assert.deepEqual(missing, { net: ["api.example.org", "other.example"] });
});

Deno.test("missingGrants() takes a folder for what is in it, and not for one whose name begins alike", () =>
  withFolder(async (folder) => {
    await Deno.mkdir(join(folder, "data"));
    await Deno.mkdir(join(folder, "database"));
    await Deno.symlink(join(folder, "database"), join(folder, "data/out"));
    const { permissions } = await readGrants({ read: ["data"] }, folder);
    const missing = await missingGrants({ read: ["data/today.json", "database", "data/out"] }, permissions, folder);
    assert.deepEqual(missing, { read: ["database", "data/out"] });
  }));

Deno.test("grantTable() is null when nothing is missing", () => {
  assert.equal(grantTable("weather", { net: ["a.example"] }, {}), null);
});

Deno.test("grantTable() holds what was granted with what is missing, and reads back as TOML", () => {
  const table = grantTable("weather", { net: ["a.example"] }, { net: ["b.example"], env: ["LANG"] });
  assert.equal(table, '[toolsets.weather.permissions]\nnet = ["a.example", "b.example"]\nenv = ["LANG"]');
});

Deno.test("grantTable() cannot be made to say more by what a stranger wishes for", () => {
  const wish = 'x"]\nrun = ["sh"]\n[security]\nlocked_config_keys = [] # \\ \u007f';
  const table = grantTable('odd."name', {}, { read: [wish] });
  assert(table !== null);
  assert.deepEqual(JSON.parse(JSON.stringify(parse(table))), {
    toolsets: { 'odd."name': { permissions: { read: [wish] } } },
  });
});
