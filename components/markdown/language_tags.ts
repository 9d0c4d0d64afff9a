/**
 * Which languages can be printed with their keywords, by the tags people write: all that the first load needs to know.
 *
 * @module
 */

const TAGS = {
  c: "c h cpp c++ cc hpp cs csharp java kotlin kt swift scala dart objc objective-c",
  css: "css scss less",
  go: "go golang",
  ini: "ini toml properties conf editorconfig",
  javascript: "js javascript jsx mjs cjs ts typescript tsx mts cts json json5 jsonc",
  lua: "lua",
  markup: "html htm xml svg xhtml vue svelte",
  php: "php",
  python: "py python python3 gd",
  ruby: "rb ruby crystal",
  rust: "rs rust",
  shell: "sh bash shell zsh console fish dockerfile docker make makefile",
  powershell: "ps1 powershell pwsh",
  sql: "sql sqlite postgresql mysql pgsql",
  yaml: "yaml yml",
} as const;

/** The name of a grammar. */
export type GrammarName = keyof typeof TAGS;

const GRAMMARS: ReadonlyMap<string, GrammarName> = new Map(
  Object.entries(TAGS).flatMap(([name, tags]) => tags.split(" ").map((tag) => [tag, name as GrammarName] as const)),
);

/** The grammar for the words after a fence, or `null`. */
export function grammarName(language: string): GrammarName | null {
  return GRAMMARS.get(language.split(/[\s{,:]/)[0]!.toLowerCase()) ?? null;
}
