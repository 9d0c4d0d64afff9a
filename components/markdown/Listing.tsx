/**
 * A block of code: its language, how long it is, and a button that copies it.
 *
 * @module
 */
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { CopyButton } from "../shell/CopyButton.tsx";
import { Lines } from "./Lines.tsx";
import { PrintedLines } from "./printed_lines.ts";

/** Names of languages that are not their tag with a capital letter. */
const LANGUAGES: Readonly<Record<string, string>> = {
  bash: "Shell",
  c: "C",
  cpp: "C++",
  cs: "C#",
  css: "CSS",
  csv: "CSV",
  html: "HTML",
  ini: "INI",
  js: "JavaScript",
  json: "JSON",
  jsonc: "JSON",
  jsx: "JSX",
  md: "Markdown",
  php: "PHP",
  ps1: "PowerShell",
  py: "Python",
  rb: "Ruby",
  rs: "Rust",
  sh: "Shell",
  sql: "SQL",
  toml: "TOML",
  ts: "TypeScript",
  tsx: "TSX",
  txt: "Text",
  xml: "XML",
  yaml: "YAML",
  yml: "YAML",
};

/** `ts` → `TypeScript`; an unknown tag with a capital letter; nothing for nothing. */
export function languageName(tag: string): string {
  const word = tag.split(/[\s{,:]/)[0]!.toLowerCase();
  if (!/^[a-z0-9+#._-]{1,24}$/.test(word)) return "";
  return LANGUAGES[word] ?? word[0]!.toUpperCase() + word.slice(1);
}

export interface ListingProps {
  readonly text: string;
  /** What stands after the fence. */
  readonly language: string;
  /** Whether it is being written. */
  readonly tip?: boolean;
}

export function Listing({ text, language, tip }: ListingProps): VNode {
  const name = languageName(language);
  const held = useRef<PrintedLines>();
  const lines = held.current ??= new PrintedLines();
  lines.take(text);
  const size = `${lines.count.toLocaleString("en")} ${lines.count === 1 ? "line" : "lines"}`;
  return (
    <figure class={tip ? "listing tip" : "listing"}>
      <figcaption class="listing-head">
        <span>{name ? `${name}, ${size}` : size}</span>
        <span class="spring" />
        <CopyButton text={text} label={name ? `Copy the ${name} listing` : "Copy the listing"} />
      </figcaption>
      <pre tabindex={0} role="region" aria-label={name ? `${name} listing` : "Listing"}>
        <code>
          <Lines lines={lines} chunks={lines.chunks} language={language} />
        </code>
      </pre>
    </figure>
  );
}
