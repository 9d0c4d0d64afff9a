/**
 * What is a keyword, a comment and a string in each language. Data alone; loaded with the first listing that needs it.
 *
 * @module
 */
import type { Grammar, Span } from "./grammar.ts";
import type { GrammarName } from "../language_tags.ts";

function words(text: string): (word: string) => boolean {
  const all = new Set(text.split(" "));
  return (word) => all.has(word);
}

function anyCase(text: string): (word: string) => boolean {
  const isWord = words(text);
  return (word) => isWord(word.toLowerCase());
}

const DOUBLE: Span = { kind: "s", open: '"', close: '"', escapes: true };
const SINGLE: Span = { kind: "s", open: "'", close: "'", escapes: true };
/** A character, and not the beginning of a lifetime or of a digit's separator. */
const CHARACTER: Span = { kind: "s", open: "'(?:\\\\[^']+|[^'\\\\])'", close: "(?:)" };
const SLASHES: Span = { kind: "c", open: "//" };
const STARS: Span = { kind: "c", open: "/\\*", close: "\\*/", lines: true };
const HASH: Span = { kind: "c", open: "#" };
/** A `#` that stands alone, and not within a word. */
const LONE_HASH: Span = { kind: "c", open: "(?:^|(?<=\\s))#" };
const DASHES: Span = { kind: "c", open: "--" };
const BACKTICKS: Span = { kind: "s", open: "`", close: "`", lines: true, escapes: true };
const TRIPLE: readonly Span[] = [
  { kind: "s", open: '"""', close: '"""', lines: true, escapes: true },
  { kind: "s", open: "'''", close: "'''", lines: true, escapes: true },
];

/** By name. */
export const GRAMMARS: Readonly<Record<GrammarName, Grammar>> = {
  c: {
    spans: [SLASHES, STARS, TRIPLE[0]!, DOUBLE, CHARACTER],
    isKeyword: words(
      "abstract as async auto await bool break byte case catch char class companion const constexpr continue data default " +
        "defer delete do double else enum explicit extends extension extern false final finally float for foreach fun func " +
        "function goto guard if implements import in inline instanceof int interface internal is let lock long namespace new " +
        "nil noexcept null nullptr object operator out override package private protected protocol public readonly ref " +
        "register return sealed self short signed sizeof static string struct super switch synchronized template this " +
        "throw throws trait true try typealias typedef typename union unsafe unsigned using val var virtual void volatile " +
        "when where while with yield",
    ),
  },
  css: {
    spans: [STARS, DOUBLE, SINGLE],
    word: "@?-?[A-Za-z_][\\w-]*",
    isKeyword: words(
      "@media @import @layer @supports @keyframes @font-face @container @property @page @charset @use @mixin @include " +
        "important from to",
    ),
  },
  go: {
    spans: [SLASHES, STARS, DOUBLE, { ...BACKTICKS, escapes: false }, CHARACTER],
    isKeyword: words(
      "break case chan const continue default defer else fallthrough false for func go goto if import interface map nil " +
        "package range return select struct switch true type var any bool byte error float64 int int64 rune string uint",
    ),
  },
  ini: {
    spans: [LONE_HASH, { kind: "c", open: "(?:^|(?<=\\s));" }, ...TRIPLE, DOUBLE, SINGLE],
    isKeyword: words("true false yes no on off null"),
  },
  javascript: {
    spans: [SLASHES, STARS, DOUBLE, SINGLE, BACKTICKS],
    isKeyword: words(
      "abstract any as async await boolean break case catch class const constructor continue debugger declare default " +
        "delete do else enum export extends false finally for from function get if implements import in infer instanceof " +
        "interface is keyof let namespace never new null number object of override private protected public readonly return " +
        "satisfies set static string super switch symbol this throw true try type typeof undefined unknown using var void " +
        "while with yield",
    ),
  },
  lua: {
    spans: [{ kind: "c", open: "--\\[\\[", close: "\\]\\]", lines: true }, DASHES, DOUBLE, SINGLE, {
      kind: "s",
      open: "\\[\\[",
      close: "\\]\\]",
      lines: true,
    }],
    isKeyword: words(
      "and break do else elseif end false for function goto if in local nil not or repeat return then true until while",
    ),
  },
  markup: {
    spans: [
      { kind: "c", open: "<!--", close: "-->", lines: true },
      { kind: "s", open: '(?<==)"', close: '"', lines: true },
      { kind: "s", open: "(?<==)'", close: "'", lines: true },
    ],
    word: "</?[A-Za-z][\\w:-]*|[A-Za-z_][\\w-]*",
    isKeyword: (word) => word.startsWith("<"),
  },
  php: {
    spans: [SLASHES, STARS, { kind: "c", open: "#(?!\\[)" }, DOUBLE, SINGLE],
    isKeyword: words(
      "abstract and array as bool break case catch class clone const continue declare default do echo else elseif enum " +
        "extends false final finally fn for foreach function global goto if implements include instanceof int interface " +
        "isset list match mixed namespace new null or print private protected public readonly require require_once return " +
        "self static string switch throw trait true try unset use var void while yield",
    ),
  },
  python: {
    spans: [HASH, ...TRIPLE, DOUBLE, SINGLE],
    isKeyword: words(
      "False None True and as assert async await break case class continue def del elif else except finally for from global " +
        "if import in is lambda match nonlocal not or pass raise return self try type while with yield",
    ),
  },
  ruby: {
    spans: [LONE_HASH, { kind: "c", open: "^=begin", close: "^=end", lines: true }, DOUBLE, SINGLE],
    isKeyword: words(
      "alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or private " +
        "protected public raise redo require require_relative rescue retry return self super then true undef unless until " +
        "when while yield",
    ),
  },
  rust: {
    spans: [SLASHES, STARS, { ...DOUBLE, lines: true }, CHARACTER],
    isKeyword: words(
      "Self as async await bool box break char const continue crate dyn else enum extern f32 f64 false fn for i32 i64 if impl " +
        "in let loop match mod move mut pub ref return self static str struct super trait true type u32 u64 u8 unsafe use " +
        "usize where while yield",
    ),
  },
  shell: {
    spans: [LONE_HASH, { ...DOUBLE, lines: true }, { kind: "s", open: "'", close: "'", lines: true }],
    word: "[A-Za-z_][\\w.-]*",
    isKeyword: words(
      "alias break case continue declare do done elif else esac eval exec exit export fi for function if in local readonly " +
        "return set shift source then trap unset until while FROM RUN COPY ADD CMD ENTRYPOINT ENV ARG WORKDIR EXPOSE USER " +
        "VOLUME LABEL ifeq ifneq ifdef endif include define",
    ),
  },
  powershell: {
    spans: [{ kind: "c", open: "<#", close: "#>", lines: true }, LONE_HASH, { ...DOUBLE, escapes: false }, {
      ...SINGLE,
      escapes: false,
    }],
    isKeyword: anyCase(
      "begin break catch class continue do else elseif end enum exit filter finally for foreach function if in param process " +
        "return switch throw trap try until using while",
    ),
  },
  sql: {
    spans: [DASHES, STARS, { ...SINGLE, escapes: false, lines: true }],
    isKeyword: anyCase(
      "add all alter and as asc begin between by case cast check collate column commit constraint create cross database default " +
        "delete desc distinct drop else end exists explain false foreign from full function grant group having if in index " +
        "inner insert into is join key left like limit not null offset on or order outer over partition primary references " +
        "returning right rollback select set table temporary then transaction trigger true union unique update using values " +
        "view when where with integer text real blob varchar timestamp boolean",
    ),
  },
  yaml: {
    spans: [LONE_HASH, DOUBLE, { ...SINGLE, escapes: false }],
    isKeyword: words("true false null yes no on off"),
  },
};
