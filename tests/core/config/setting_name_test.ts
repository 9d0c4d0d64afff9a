import assert from "node:assert/strict";
import fc from "fast-check";
import { basicString, joinSettingName, splitSettingName, tomlKey } from "../../../core/config/setting_name.ts";
import { parseToml } from "../../../core/config/toml.ts";

Deno.test("joinSettingName() quotes only what is no bare key", () => {
  assert.equal(joinSettingName(["web", "base_path"]), "web.base_path");
  assert.equal(joinSettingName(["prices", "openai:gpt-4.1"]), 'prices."openai:gpt-4.1"');
  assert.equal(joinSettingName(["agents", "", "model"]), 'agents."".model');
});

Deno.test("splitSettingName() reads names as people write them", () => {
  assert.deepEqual(splitSettingName("web.port"), ["web", "port"]);
  assert.deepEqual(splitSettingName('prices."openai:gpt-4.1"'), ["prices", "openai:gpt-4.1"]);
  assert.deepEqual(splitSettingName("security.*"), ["security", "*"]);
});

for (const text of ["", ".", "web.", ".port", "web..port", 'web."port', 'web."po"rt', 'a"b"', '"\\q".x']) {
  Deno.test(`splitSettingName() refuses ${JSON.stringify(text)}`, () => assert.equal(splitSettingName(text), null));
}

Deno.test("splitSettingName() undoes joinSettingName(), whatever the segments hold", () => {
  const segment = fc.string({ unit: "grapheme", maxLength: 12 });
  fc.assert(fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (path) => {
    assert.deepEqual(splitSettingName(joinSettingName(path)), path);
  }));
});

Deno.test("tomlKey() and basicString() write what TOML reads back", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => {
    fc.pre(text.isWellFormed());
    const parsed = parseToml(`${tomlKey(text)} = ${basicString(text)}\n`);
    assert.deepEqual(Object.entries(parsed), [[text, text]]);
  }));
});
