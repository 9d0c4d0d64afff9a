import assert from "node:assert/strict";
import fc from "fast-check";
import { isTable, parseToml, type TomlTable } from "../../../core/config/toml.ts";
import { EditRefused, removeTomlValue, setTomlValue } from "../../../core/config/toml_edit.ts";

/** Each line that differs, as `-old` and `+new`; the texts may differ in length by the lines added or taken. */
function difference(before: string, after: string): readonly string[] {
  const old = before.split(/(?<=\n)/);
  const now = after.split(/(?<=\n)/);
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const show = (sign: string, lines: readonly string[]) => lines.map((line) => sign + line);
  return [...show("-", old.slice(start, old.length - end)), ...show("+", now.slice(start, now.length - end))];
}

const FILE = `# My assistant.

[web] # the page
port = 8000   # taken by the old one
#auth = "token"   # or none
host   =   'localhost'

# The agents.
[agents.assistant]
description = "You talk to me"
tools = { available = ["time"], resident = [ "time" ] } # both
generation.temperature = 0.5
generation.top_k = 40

[[mcp.server]]
name = "a"
url = "https://a.example"

[[mcp.server]]
name = "b"
url = "https://b.example"

# Prices I pay.
[prices]
"openai:gpt-4.1" = { input = 2.0, output = 8.0, } # per million
`;

const EDITS: readonly {
  readonly name: string;
  readonly path: readonly string[];
  readonly value: unknown;
  readonly lines: readonly string[];
}[] = [
  {
    name: "replaces a value and keeps the spaces and the comment around it",
    path: ["web", "port"],
    value: 9000,
    lines: ["-port = 8000   # taken by the old one\n", "+port = 9000   # taken by the old one\n"],
  },
  {
    name: "keeps odd spacing before the value",
    path: ["web", "host"],
    value: "::1",
    lines: ["-host   =   'localhost'\n", '+host   =   "::1"\n'],
  },
  {
    name: "adds a key below its commented example",
    path: ["web", "auth"],
    value: "none",
    lines: ['+auth = "none"\n'],
  },
  {
    name: "adds a key without an example after the last one of its table",
    path: ["web", "base_path"],
    value: "/malama",
    lines: ['+base_path = "/malama"\n'],
  },
  {
    name: "replaces inside an inline table",
    path: ["agents", "assistant", "tools", "available"],
    value: ["time", "compute"],
    lines: [
      '-tools = { available = ["time"], resident = [ "time" ] } # both\n',
      '+tools = { available = ["time", "compute"], resident = [ "time" ] } # both\n',
    ],
  },
  {
    name: "adds inside an inline table",
    path: ["agents", "assistant", "tools", "confirm"],
    value: [],
    lines: [
      '-tools = { available = ["time"], resident = [ "time" ] } # both\n',
      '+tools = { available = ["time"], resident = [ "time" ], confirm = [] } # both\n',
    ],
  },
  {
    name: "adds to an inline table that ends with a comma",
    path: ["prices", "openai:gpt-4.1", "cache_read"],
    value: 0.5,
    lines: [
      '-"openai:gpt-4.1" = { input = 2.0, output = 8.0, } # per million\n',
      '+"openai:gpt-4.1" = { input = 2.0, output = 8.0, cache_read = 0.5, } # per million\n',
    ],
  },
  {
    name: "replaces a dotted key",
    path: ["agents", "assistant", "generation", "temperature"],
    value: 1,
    lines: ["-generation.temperature = 0.5\n", "+generation.temperature = 1\n"],
  },
  {
    name: "adds a dotted key beside its siblings",
    path: ["agents", "assistant", "generation", "top_p"],
    value: 0.9,
    lines: ["+generation.top_p = 0.9\n"],
  },
  {
    name: "makes a real sub-table, after the tables it belongs to and before the next one's comment (K-036)",
    path: ["agents", "assistant", "compaction", "enabled"],
    value: false,
    lines: ["+[agents.assistant.compaction]\n", "+enabled = false\n", "+\n"],
  },
  {
    name: "makes a new section at the end",
    path: ["logging", "level"],
    value: "DEBUG",
    lines: ["+\n", "+[logging]\n", '+level = "DEBUG"\n'],
  },
  {
    name: "quotes a key that needs it",
    path: ["prices", "a b"],
    value: { input: 1, output: 2 },
    lines: ['+"a b" = { input = 1, output = 2 }\n'],
  },
];

for (const { name, path, value, lines } of EDITS) {
  Deno.test(`setTomlValue() ${name}`, () => {
    assert.deepEqual(difference(FILE, setTomlValue(FILE, path, value)), lines);
  });

  Deno.test(`setTomlValue() ${name}, with CRLF`, () => {
    const file = FILE.replaceAll("\n", "\r\n");
    const expected = lines.map((line) => line.replaceAll("\n", "\r\n"));
    assert.deepEqual(difference(file, setTomlValue(file, path, value)), expected);
  });
}

Deno.test("setTomlValue() replaces a value over several lines as a whole", () => {
  const file = 'a = 1\n[s]\nlist = [\n  "x", # one\n  "y",\n]  # kept\nb = 2\n';
  assert.equal(setTomlValue(file, ["s", "list"], ["z"]), 'a = 1\n[s]\nlist = ["z"]  # kept\nb = 2\n');
});

Deno.test("setTomlValue() replaces a multi-line text that looks like a file", () => {
  const file = '[s]\ntext = """\n[s]\nkey = 1 # not a key\n"""\nkey = 2\n';
  assert.equal(setTomlValue(file, ["s", "key"], 3), file.replace("key = 2", "key = 3"));
  assert.equal(setTomlValue(file, ["s", "text"], "x"), '[s]\ntext = "x"\nkey = 2\n');
});

Deno.test("setTomlValue() works where the file does not end with a newline", () => {
  assert.equal(setTomlValue("[s]\na = 1", ["s", "b"], 2), "[s]\na = 1\nb = 2");
  assert.equal(setTomlValue("[s]", ["s", "b"], 2), "[s]\nb = 2");
  assert.equal(setTomlValue("[s]\na = 1", ["t", "b"], 2), "[s]\na = 1\n\n[t]\nb = 2\n");
});

Deno.test("setTomlValue() starts an empty file", () => {
  assert.equal(setTomlValue("", ["s", "b"], 2), "[s]\nb = 2\n");
  assert.equal(setTomlValue("# hello\n", ["s", "b"], 2), "# hello\n\n[s]\nb = 2\n");
});

Deno.test("setTomlValue() keeps the indentation of its neighbours", () => {
  assert.equal(setTomlValue("[s]\n  a = 1\n[t]\n", ["s", "b"], 2), "[s]\n  a = 1\n  b = 2\n[t]\n");
});

Deno.test("setTomlValue() keeps a comment that introduces the next table with that table", () => {
  const file = "[s]\na = 1\n#b = 2\n# The t table.\n# It is good.\n[t]\nc = 3\n";
  const expected = "[s]\na = 1\n#b = 2\n\n[s.u]\nx = 1\n\n# The t table.\n# It is good.\n[t]\nc = 3\n";
  assert.equal(setTomlValue(file, ["s", "u", "x"], 1), expected);
});

Deno.test("setTomlValue() replaces a table spread over dotted keys, and one with a header of its own", () => {
  const dotted = '[task]\nwhen.type = "daily"\nwhen.at = "07:30"\nx = 1\n';
  assert.equal(
    setTomlValue(dotted, ["task", "when"], { type: "interval", seconds: 5 }),
    '[task]\nwhen.type = "interval"\nwhen.seconds = 5\nx = 1\n',
  );
  const header = '[task.when] # mine\ntype = "daily"\nat = "07:30"\n';
  assert.equal(
    setTomlValue(header, ["task", "when"], { type: "interval", seconds: 5 }),
    '[task.when] # mine\ntype = "interval"\nseconds = 5\n',
  );
});

const REFUSED: readonly (readonly [string, string, readonly string[], unknown, RegExp])[] = [
  ["an element of a list of tables", FILE, ["mcp", "server", "url"], "x", /\[\[mcp\.server\]\] is a list of tables/],
  ["a whole list of tables", FILE, ["mcp", "server"], [], /list of tables/],
  ["a key inside something that is no table", FILE, ["web", "port", "x"], 1, /web\.port is no table/],
  ["a value where a table is", FILE, ["agents", "assistant"], 1, /it is a table there/],
  ["a key outside every section", "a.b = 1\n", ["c"], 1, /outside a section/],
];

for (const [name, file, path, value, message] of REFUSED) {
  Deno.test(`setTomlValue() refuses ${name} and says to edit by hand`, () => {
    assert.throws(() => setTomlValue(file, path, value), (error: Error) => {
      assert.ok(error instanceof EditRefused, String(error));
      assert.match(error.message, message);
      assert.match(error.message, /edit the file by hand$/);
      return true;
    });
  });
}

const REMOVALS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["a line with its comment", ["web", "port"], ["-port = 8000   # taken by the old one\n"]],
  ["a dotted key", ["agents", "assistant", "generation", "top_k"], ["-generation.top_k = 40\n"]],
  ["nothing when the key is not there", ["web", "auth"], []],
  ["nothing when the section is not there", ["email", "to"], []],
];

for (const [name, path, lines] of REMOVALS) {
  Deno.test(`removeTomlValue() takes ${name}`, () => {
    assert.deepEqual(difference(FILE, removeTomlValue(FILE, path)), lines);
  });
}

Deno.test("removeTomlValue() takes the first, a middle, the last and the only entry of an inline table", () => {
  const file = "[s]\nt = { a = 1, b = 2, c = 3 } # t\n";
  assert.equal(removeTomlValue(file, ["s", "t", "a"]), "[s]\nt = { b = 2, c = 3 } # t\n");
  assert.equal(removeTomlValue(file, ["s", "t", "b"]), "[s]\nt = { a = 1, c = 3 } # t\n");
  assert.equal(removeTomlValue(file, ["s", "t", "c"]), "[s]\nt = { a = 1, b = 2 } # t\n");
  assert.equal(removeTomlValue("[s]\nt = { a = 1, }\n", ["s", "t", "a"]), "[s]\nt = {}\n");
});

Deno.test("removeTomlValue() refuses a table that has a header, and a list of tables", () => {
  assert.throws(() => removeTomlValue(FILE, ["agents", "assistant"]), EditRefused);
  assert.throws(() => removeTomlValue(FILE, ["mcp", "server"]), EditRefused);
});

// Properties: files made of sections in every style TOML has, in random order.

const NAMES = ["alpha", "beta", "gamma", "a b", "é.x", "delta-1"];
const name = fc.constantFrom(...NAMES);
const leaf = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.string({ maxLength: 8 }),
  fc.constantFrom("# not a comment", "[not.a.header]", 'quo"te', "back\\slash", "two\nlines", "日本"),
  fc.array(fc.integer(), { maxLength: 3 }),
);

/** One way to write a key of a section: [line, path below the section, value]. */
const entry = fc.record({
  key: name,
  value: leaf,
  style: fc.constantFrom("plain", "dotted", "inline", "spaced", "commented"),
});

const section = fc.record({
  comment: fc.boolean(),
  example: fc.boolean(),
  entries: fc.uniqueArray(entry, { selector: ({ key }) => key, maxLength: 5 }),
});

const fileShape = fc.record({
  sections: fc.uniqueArray(fc.tuple(name, section), { selector: ([key]) => key, minLength: 1, maxLength: 4 }),
  newline: fc.constantFrom("\n", "\r\n"),
  trailing: fc.boolean(),
});

type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never;
type Shape = typeof fileShape extends fc.Arbitrary<infer T> ? T : never;

function keyText(key: string): string {
  return /^[\w-]+$/.test(key) && !/[^\x20-\x7e]/.test(key) ? key : JSON.stringify(key);
}

function entryText({ key, value, style }: Entry): string {
  const text = JSON.stringify(value);
  switch (style) {
    case "plain":
      return `${keyText(key)} = ${text}`;
    case "dotted":
      return `${keyText(key)}.inner = ${text}`;
    case "inline":
      return `${keyText(key)} = { inner = ${text}, other = 1 } # inline`;
    case "spaced":
      return `  ${keyText(key)}   =\t${text}\t# note`;
    default:
      return `${keyText(key)} = ${text} # about it`;
  }
}

function fileText({ sections, newline, trailing }: Shape): string {
  const lines = sections.flatMap(([key, { comment, example, entries }]) => [
    ...(comment ? [`# About ${key}.`] : []),
    `[${keyText(key)}]`,
    ...(example ? ["#alpha = 1 # an example", "# plain words"] : []),
    ...entries.map(entryText),
    "",
  ]);
  return lines.join(newline) + (trailing ? newline : "");
}

function at(tree: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (table, part) => isTable(table) && Object.hasOwn(table, part) ? table[part] : undefined,
    tree,
  );
}

Deno.test("setTomlValue() writes any value so that it reads back, and changes nothing else", () => {
  fc.assert(
    fc.property(fileShape, name, name, fc.boolean(), leaf, (shape, table, key, deep, value) => {
      const before = fileText(shape);
      const path = deep ? [table, key, "inner"] : [table, key];
      const there = at(parseToml(before), path);
      fc.pre(!isTable(there));
      fc.pre(
        !deep || isTable(at(parseToml(before), [table, key])) || at(parseToml(before), [table, key]) === undefined,
      );
      const after = setTomlValue(before, path, value);

      assert.deepEqual(at(parseToml(after), path), value);
      assertKept(before, after, path);
      const again = setTomlValue(after, path, value);
      assert.equal(again, after, "setting the same value again changes nothing");
    }),
    { numRuns: 300 },
  );
});

Deno.test("removeTomlValue() takes back what setTomlValue() added, byte for byte", () => {
  fc.assert(
    fc.property(fileShape, name, leaf, (shape, key, value) => {
      const before = fileText(shape);
      const path = [shape.sections[0]![0], key];
      fc.pre(at(parseToml(before), path) === undefined);
      const after = setTomlValue(before, path, value);
      const back = removeTomlValue(after, path);
      const wasWhole = before.endsWith("\n");
      assert.equal(wasWhole ? back : back.trimEnd(), wasWhole ? before : before.trimEnd());
    }),
    { numRuns: 200 },
  );
});

Deno.test("setTomlValue() gives the same values whatever the order they are set in", () => {
  const settings = fc.uniqueArray(fc.tuple(name, name, leaf), {
    selector: ([table, key]) => `${table}\n${key}`,
    maxLength: 8,
  });
  const orders = settings.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }))
  );
  const write = (list: readonly (readonly [string, string, unknown])[]) =>
    list.reduce((text, [table, key, value]) => setTomlValue(text, [table, key], value), "# top\n");
  fc.assert(fc.property(orders, ([one, other]) => {
    assert.deepEqual(sorted(parseToml(write(one))), sorted(parseToml(write(other))));
  }));
});

/** One line changed or a few were added, all in one place; every other line and every other value is the same. */
function assertKept(before: string, after: string, path: readonly string[]): void {
  const lines = difference(before, after);
  const lost = lines.filter((line) => line.startsWith("-"));
  assert.ok(lost.length <= 1, `more than one line changed:\n${lines.join("\n")}`);
  assert.ok(lines.length - lost.length <= 4, `more was added than a table with one key:\n${lines.join("\n")}`);
  assert.deepEqual(without(parseToml(after), path), without(parseToml(before), path));
  const bareNewline = (text: string) => /(?<!\r)\n/.test(text);
  assert.equal(bareNewline(after), bareNewline(before), "line ends are mixed");
}

/** The tree as JSON, without the value at the path and without tables left empty by that. */
function without(tree: TomlTable, path: readonly string[]): unknown {
  const walk = (value: unknown, here: readonly string[]): unknown => {
    if (!isTable(value)) return value;
    const entries = Object.entries(value)
      .filter(([key]) => JSON.stringify([...here, key]) !== JSON.stringify(path))
      .map(([key, part]): [string, unknown] => [key, walk(part, [...here, key])])
      .filter(([, part]) => !isTable(part) || Object.keys(part).length > 0);
    return Object.fromEntries(entries);
  };
  return walk(tree, []);
}

function sorted(value: unknown): unknown {
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}
