import assert from "node:assert/strict";
import { ClosedPlace, findPlace, placesOf } from "../../../toolsets/fs/place.ts";
import { openHome } from "./fs_fixture.ts";

Deno.test("File served by model-given path: no spelling leads out of the open folders or to what is closed", async () => {
  await using fixture = await openHome();
  const { home, outside } = fixture;
  const places = placesOf("", home, { closed: [`${home}/own`], readable: [`${home}/own/downloads`] });
  const spellings = [
    "/etc/passwd",
    "//etc/passwd",
    "/etc/../etc/passwd",
    "/proc/self/environ",
    "/dev/mem",
    "/",
    "..",
    "../",
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
    "notes/link.txt",
    "notes/out/secret.txt",
    "notes/out/new.txt",
    "notes/out",
    "notes/dangling.txt",
    "notes/keys/id",
    "notes/keys",
    ".ssh/id",
    "./.ssh",
    "notes/../.ssh/id",
    "~/.ssh/id",
    "~/.ssh/new_key",
    "own/token",
    "own",
    "own/../own/token",
    "notes/../own/token",
    "file:///etc/passwd",
    `file://${home}/notes/a.txt`,
    "http://localhost/x",
    "data:text/plain,x",
    "notes/a.txt\u0000.png",
    "notes\n/a.txt",
    "",
    "   ",
    "\t",
  ];
  assert.ok(spellings.length >= 40);
  for (const spelling of spellings) {
    await assert.rejects(findPlace(spelling, places), ClosedPlace, JSON.stringify(spelling));
  }
});

Deno.test("what lies inside is found by every ordinary spelling, a link that stays inside too", async () => {
  await using fixture = await openHome();
  const { home } = fixture;
  const places = placesOf("", home, { closed: [`${home}/own`], readable: [`${home}/own/downloads`] });
  for (
    const spelling of ["notes/a.txt", "~/notes/a.txt", `${home}/notes/a.txt`, "./notes/../notes/a.txt", "inside.txt"]
  ) {
    assert.deepEqual(await findPlace(spelling, places), { path: `${home}/notes/a.txt`, isNew: false }, spelling);
  }
  assert.deepEqual(await findPlace("new/deep/b.txt", places), { path: `${home}/new/deep/b.txt`, isNew: true });
  // Dots and percent signs are letters of a name like any other.
  assert.deepEqual(await findPlace("..%2f..%2fetc", places), { path: `${home}/..%2f..%2fetc`, isNew: true });
});

Deno.test("other folders are open when the person names them, a place of keys only when it is named itself", async () => {
  await using fixture = await openHome();
  const { home, outside } = fixture;
  const wide = placesOf(`~, ${outside}`, home, { closed: [`${home}/own`], readable: [`${home}/own/downloads`] });
  assert.equal((await findPlace("notes/link.txt", wide)).path, `${outside}/secret.txt`);
  await assert.rejects(findPlace(".ssh/id", wide), ClosedPlace);
  const named = placesOf("~, ~/.ssh", home, { closed: [`${home}/own`], readable: [`${home}/own/downloads`] });
  assert.equal((await findPlace(".ssh/id", named)).path, `${home}/.ssh/id`);
  await assert.rejects(
    findPlace("own/token", placesOf("~/own", home, { closed: [`${home}/own`], readable: [`${home}/own/downloads`] })),
    ClosedPlace,
  );
});
