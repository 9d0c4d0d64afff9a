import assert from "node:assert/strict";
import { configurationReference, sections } from "../../../core/config/mod.ts";

const PAGE = new URL("../../../docs/configuration.md", import.meta.url);
const START = /<!-- deno-fmt-ignore-start[^\n]*-->\n/;
const END = "<!-- deno-fmt-ignore-end -->";

/** The page with the reference as the schema has it now. */
function renewed(page: string): string {
  const start = START.exec(page);
  const end = page.indexOf(END);
  assert.ok(start && end > start.index, "the markers are missing");
  return `${page.slice(0, start.index)}${start[0]}\n${configurationReference()}\n${page.slice(end)}`;
}

Deno.test("docs/configuration.md holds the reference the schema gives (run with UPDATE_REFERENCE=1 to renew it)", async () => {
  const page = await Deno.readTextFile(PAGE);
  if (Deno.env.get("UPDATE_REFERENCE") === "1") await Deno.writeTextFile(PAGE, renewed(page));
  else assert.equal(page, renewed(page));
});

Deno.test("configurationReference() names every section and every key", () => {
  const reference = configurationReference();
  for (const section of sections.SECTIONS.filter(({ like }) => like === undefined)) {
    assert.ok(reference.includes(section.list ? `[[${section.name}]]` : `[${section.name}]`), section.name);
    for (const key of Object.keys(section.keys)) {
      assert.ok(reference.includes(`| \`${key}\` |`), `${section.name}.${key}`);
    }
  }
});

Deno.test("configurationReference() explains each key, and says which need one and which are hot", () => {
  for (const section of sections.SECTIONS) {
    for (const [key, rule] of Object.entries(section.keys)) assert.notEqual(rule.meaning, "", `${section.name}.${key}`);
  }
  const reference = configurationReference();
  assert.match(reference, /\| `generate_titles` \| true or false \| `true` \| [^|]*\(hot\) \|/);
  assert.match(reference, /\| `prompt` \| a string \| \*needed\* \|/);
  assert.equal(reference.match(/\*any name\*/g)?.length, 2);
});

Deno.test("the page names every removed key's replacement and every variable that holds a secret", async () => {
  const page = await Deno.readTextFile(PAGE);
  for (
    const word of [
      "MALAMA_EMAIL_PASSWORD",
      "MALAMA_STORAGE_TOKEN",
      "GITHUB_BACKUP_TOKEN",
      "MALAMA_MODEL",
      "confirm_tools",
    ]
  ) {
    assert.ok(page.includes(word), word);
  }
});
