/**
 * Long texts for the tests of Markdown: made of all kinds of blocks, long enough that their insides are kept, and with what
 * breaks them in between.
 *
 * @module
 */
import fc from "fast-check";
import type { MarkdownToken } from "../../../components/markdown/document.ts";

const word = fc.constantFrom(
  "word",
  "**bold**",
  "*half",
  "`code`",
  "a_b_c",
  "$x^2$",
  "[link](https://a.example)",
  "[ref]",
  "<b>",
  "<a href=x>",
  "https://b.example",
  "3 kg",
  "\\*",
  "&amp;",
  "~~gone~~",
  "日本",
  "- ",
  "1.",
  ">",
  "#",
  "|",
);
const line = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
const many = <T>(of: fc.Arbitrary<T>) => fc.array(of, { minLength: 3, maxLength: 30 });

const item = fc.tuple(
  fc.constantFrom("- ", "- ", "- ", "  - ", "    - ", "* ", "1. ", "2. ", "- [ ] ", "- [x] ", "-", "  "),
  line,
  fc.constantFrom(
    "\n",
    "\n",
    "\n",
    "\n",
    "\n",
    "\n\n",
    "\n  more\n",
    "\nlazy\n",
    "\n\n  para\n",
    "\n  ```\n  x\n  ```\n",
  ),
).map((parts) => parts.join(""));
const steadyItem = line.map((text) => `- ${text.replace(/[|#>]/g, "")} and some more words\n`);
const looseItem = line.map((text) => `1. ${text}\n\n`);
const row = fc.array(line, { minLength: 1, maxLength: 4 }).map((cells) => `| ${cells.join(" | ")} |\n`);
const quoted = fc.tuple(
  fc.constantFrom("> ", "> ", "> ", ">", "> > ", "> - ", ">\t", "> ```", "> # ", "", "  > "),
  line,
)
  .map(([mark, text]) => `${mark}${mark === "> ```" ? "" : text}\n`);
const steadyQuote = fc.tuple(fc.constantFrom("> ", "> > ", "> - ", "> "), line).map(([mark, text]) =>
  `${mark}${text}\n`
);
const codeLine = fc.constantFrom(
  "const a = 1;\n",
  "\n",
  "  ``\n",
  "~~~\n",
  "   \n",
  "// more\n",
  "\tindented\n",
  "```` x\n",
);

const block = fc.oneof(
  many(item).map((lines) => lines.join("")),
  many(steadyItem).map((lines) => lines.join("")),
  many(looseItem).map((lines) => lines.join("")),
  many(row).map((rows) => `| a | b | c |\n| --- | :-: | --- |\n${rows.join("")}`),
  many(quoted).map((lines) => lines.join("")),
  many(steadyQuote).map((lines) => lines.join("")),
  fc.tuple(
    fc.constantFrom("```ts\n", "~~~\n", "````\n", "  ```\n"),
    many(codeLine),
    fc.constantFrom("```\n", "~~~\n", "````\n", ""),
  )
    .map(([fence, lines, end]) => `${fence}${lines.join("")}${end}`),
  many(line).map((lines) => lines.join("\n")),
  fc.constantFrom("# A heading\n", "---\n", "<div>\nhtml\n</div>\n", "$$\nx\n$$\n", "    indented\n    code\n"),
);

/** A text without the definition of a link. */
export const longText: fc.Arbitrary<string> = fc.array(
  fc.tuple(block, fc.constantFrom("\n", "\n\n", "")),
  { minLength: 1, maxLength: 4 },
).map((parts) => parts.flat().join(""));

/** The same, with definitions and line ends of all kinds. */
export const anyLongText: fc.Arbitrary<string> = fc.tuple(
  longText,
  fc.constantFrom("", "", "[ref]: https://ref.example\n\n", "> [ref]: /in-a-quote\n\n"),
  longText,
  fc.constantFrom("\n", "\n", "\r\n", "\r"),
).map(([before, definition, after, end]) => `${before}\n\n${definition}${after}`.replaceAll("\n", end));

/** Where a text is cut: small pieces at first, then ever larger ones, the last at its end. */
export const pieces: fc.Arbitrary<readonly number[]> = fc.array(fc.integer({ min: 1, max: 120 }), {
  minLength: 20,
  maxLength: 60,
});

/** The ends of pieces of these sizes, used over and over. */
export function cutsOf(text: string, sizes: readonly number[]): number[] {
  const cuts: number[] = [];
  for (let at = 0, n = 0; at < text.length; n++) cuts.push(at = Math.min(text.length, at + sizes[n % sizes.length]!));
  return cuts;
}

/** Blocks without what draws nothing, and without the order of their fields. */
export function drawn(tokens: readonly MarkdownToken[]): unknown {
  const seen = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((each) => !isBlank(each)).map(seen);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== "raw").map(([k, v]) => [k, seen(v)]));
  };
  return seen(tokens);
}

function isBlank(value: unknown): boolean {
  const { type } = (value ?? {}) as { type?: unknown };
  return type === "space" || type === "def";
}
