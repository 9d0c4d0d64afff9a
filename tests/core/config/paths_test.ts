import assert from "node:assert/strict";
import { join } from "node:path";
import { dataFolder, locateConfig } from "../../../core/config/paths.ts";

const cwd = "/somewhere";

function env(variables: Record<string, string>) {
  return (name: string) => variables[name];
}

Deno.test("locateConfig() starts in the home folder when nothing is set (K-011)", () => {
  const location = locateConfig({ env: env({ HOME: "/home/ada" }), cwd });
  assert.deepEqual(location, { root: "/home/ada/.malama", file: "/home/ada/.malama/config.toml", named: false });
});

Deno.test("locateConfig() takes MALAMA_HOME as the root, and the file in it is no named file", () => {
  const location = locateConfig({ env: env({ HOME: "/home/ada", MALAMA_HOME: "/srv/malama" }), cwd });
  assert.deepEqual(location, { root: "/srv/malama", file: "/srv/malama/config.toml", named: false });
});

Deno.test("locateConfig() prefers the flag, then MALAMA_CONFIG, then the root (K-012)", () => {
  const variables = env({ HOME: "/home/ada", MALAMA_CONFIG: "/etc/malama.toml" });
  assert.equal(locateConfig({ flag: "/etc/my.toml", env: variables, cwd }).file, "/etc/my.toml");
  assert.equal(locateConfig({ env: variables, cwd }).file, "/etc/malama.toml");
  assert.equal(locateConfig({ env: variables, cwd }).named, true);
  assert.equal(locateConfig({ flag: "/etc/my.toml", env: env({}), cwd }).named, true);
});

Deno.test("locateConfig() leaves the root alone when only the file is named", () => {
  const location = locateConfig({ flag: "/etc/my.toml", env: env({ MALAMA_HOME: "/srv/malama" }), cwd });
  assert.equal(location.root, "/srv/malama");
});

Deno.test("locateConfig() makes relative names absolute from the working directory", () => {
  assert.equal(locateConfig({ flag: "my.toml", env: env({ HOME: "/h" }), cwd }).file, join(cwd, "my.toml"));
  assert.equal(locateConfig({ env: env({ MALAMA_HOME: "here" }), cwd }).root, join(cwd, "here"));
});

Deno.test("locateConfig() takes an empty variable and an empty flag for unset", () => {
  const location = locateConfig({ flag: "", env: env({ HOME: "/h", MALAMA_HOME: "", MALAMA_CONFIG: "" }), cwd });
  assert.deepEqual(location, { root: "/h/.malama", file: "/h/.malama/config.toml", named: false });
});

Deno.test("locateConfig() finds the home folder of a machine without HOME", () => {
  assert.equal(locateConfig({ env: env({ USERPROFILE: "/users/ada" }), cwd }).root, "/users/ada/.malama");
  assert.equal(locateConfig({ env: env({}), cwd }).root, join(cwd, ".malama"));
});

Deno.test("dataFolder() is data in the root unless the file says otherwise", () => {
  assert.equal(dataFolder("/srv/malama"), "/srv/malama/data");
  assert.equal(dataFolder("/srv/malama", "/big/disk"), "/big/disk");
});
