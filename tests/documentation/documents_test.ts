/** The documents say what is so: their links lead somewhere, and their commands, keys and names exist. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseCommandLine } from "../../cli/command_line.ts";
import { keyVariables, parseModelString } from "../../core/model/mod.ts";
import { builtInToolsets } from "../../toolsets/mod.ts";
import manifest from "../../deno.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DOCUMENTS = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "docs/architecture.md",
  "docs/configuration.md",
  "docs/dependencies.md",
  "docs/security.md",
  "fresh/README.md",
];
/** Made from the running product, last of all. */
const MADE_LATER = ["docs/screenshot.png"];

function read(path: string): string {
  return Deno.readTextFileSync(join(ROOT, path));
}

function exists(path: string): boolean {
  try {
    Deno.statSync(join(ROOT, path));
    return true;
  } catch {
    return false;
  }
}

const readme = read("README.md");

for (const document of DOCUMENTS) {
  Deno.test(`${document} links only to what is there`, () => {
    const links = [...read(document).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, link]) => link!);
    for (const link of links) {
      const path = join(dirname(document), link);
      assert.ok(exists(path) || MADE_LATER.includes(path), `${document} links to ${link}`);
    }
  });

  Deno.test(`${document} names only folders and files that are there`, () => {
    const names = [
      ...read(document).matchAll(/`((?:core|web|cli|routes|islands|components|toolsets|tests|docs|fresh)\/[\w/.-]*)`/g),
    ];
    for (const [, name] of names) {
      assert.ok(exists(name!) || Object.hasOwn(manifest.imports, name!), `${document} names ${name}`);
    }
  });

  Deno.test(`${document} names no tasks but those of deno.json`, () => {
    for (const [, task] of read(document).matchAll(/deno task ([a-z]+)/g)) {
      assert.ok(Object.hasOwn(manifest.tasks, task!), `${document} names deno task ${task}`);
    }
  });
}

Deno.test("The README's first commands are the ones that start and test", () => {
  const blocks = [...readme.matchAll(/```sh\n([^`]+)```/g)].map(([, block]) => block!.trim());
  assert.ok(blocks.includes("npx -y deno task start"));
  assert.ok(blocks.includes("npx -y deno task test"));
  assert.ok(blocks.includes("deno task start"));
});

Deno.test("The README's commands are understood", () => {
  for (const [, words] of readme.matchAll(/`deno task start ([^`]+)`/g)) {
    const args = words!.replace("…", "demo:tour").split(" ");
    assert.doesNotThrow(() => parseCommandLine(args), words);
  }
});

Deno.test("The README's model strings can be read, and the keys beside them are the ones looked for", () => {
  const rows = [...readme.matchAll(/^\|[^|]+\|([^|]+)\| `([^`]+)` +\|$/gm)];
  assert.ok(rows.length >= 12, `only ${rows.length} providers`);
  for (const [, key, string] of rows) {
    const { provider } = parseModelString(string!);
    const variable = /export (\w+)=/.exec(key!)?.[1];
    if (variable !== undefined) assert.ok(keyVariables(provider).includes(variable), `${provider} and ${variable}`);
  }
});

Deno.test("The dependencies' versions are those of deno.json, and each of them has a line", () => {
  const document = read("docs/dependencies.md");
  for (const target of Object.values(manifest.imports)) {
    const match = /^npm:((?:@[^/]+\/)?[^@/]+)@([\d.]+)/.exec(target);
    if (match === null) continue;
    assert.ok(document.includes(`\`${match[1]}\` ${match[2]}`), `${match[1]} ${match[2]} has no line`);
  }
});

Deno.test("The security notes name the built-in toolsets as they are", () => {
  for (const { name } of builtInToolsets) assert.ok(read("docs/security.md").includes(`\`${name}\``), name);
});

Deno.test("The changelog has an entry for this version", () => {
  assert.ok(read("CHANGELOG.md").includes(`## [${manifest.version}]`));
});

Deno.test("The license is the whole of Apache 2.0", () => {
  const license = read("LICENSE");
  assert.match(license, /^\s+Apache License\s+Version 2\.0, January 2004/);
  assert.match(license, /END OF TERMS AND CONDITIONS/);
  assert.match(license, /limitations under the License\.\n$/);
  assert.equal(manifest.license, "Apache-2.0");
});

Deno.test("No committed document names a path of a machine or a registry's host", () => {
  for (const document of [...DOCUMENTS, ".ci/run"]) {
    assert.doesNotMatch(read(document), /\/work\/|\/root\/|\/tmp\/brief|registry\.npmjs/, document);
  }
});
