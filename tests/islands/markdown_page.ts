/**
 * A page with nothing in it but the Markdown of the product and its styles: for tests and benches.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";

/** What `markdown_entry.tsx` puts on the page. */
export interface Inside {
  carets(text: string): readonly (readonly string[])[];
  compareAll(texts: readonly string[]): { tried: number; wrong: string | null };
  compareGrown(texts: readonly string[], piece: number): { tried: number; wrong: string | null };
  touches(text: string, piece: number): { blocks: number; touched: number; times: readonly number[]; last: number };
  /** The lines of a listing that are read, drawn and laid out, and the longest task on the way there, in milliseconds. */
  print(text: string): Promise<{ keywords: number; longest: number; text: string }>;
}

const STYLES = fileURLToPath(new URL("../../static/malama.css", import.meta.url));

/** An empty page with the module of `markdown_entry.tsx` in it. */
export async function openMarkdownPage(browser: Browser): Promise<Page> {
  const { outputFiles, success, errors } = await Deno.bundle({
    entrypoints: [fileURLToPath(new URL("./markdown_entry.tsx", import.meta.url))],
    platform: "browser",
    format: "esm",
    minify: true,
    inlineImports: true,
    write: false,
  });
  assert.ok(success, JSON.stringify(errors));
  const page = await browser.newPage();
  await page.route("http://page.example/**", (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/entry.js") {
      return route.fulfill({ contentType: "text/javascript", body: outputFiles![0]!.text() });
    }
    if (pathname === "/malama.css") return route.fulfill({ path: STYLES });
    return route.fulfill({
      contentType: "text/html; charset=utf-8",
      body:
        '<!doctype html><link rel="stylesheet" href="/malama.css"><script type="module" src="/entry.js"></script><body>',
    });
  });
  await page.goto("http://page.example/");
  await page.waitForFunction(() => "compareAll" in globalThis);
  return page;
}

/** Texts of a length that are one kind of block from beginning to end. */
export function longTexts(length: number): Readonly<Record<string, string>> {
  const fill = (head: string, part: (n: number) => string) => {
    const parts = [head];
    for (let n = 0, total = head.length; total < length; n++) total += parts[parts.push(part(n)) - 1]!.length;
    return parts.join("").slice(0, length);
  };
  return {
    prose: fill(
      "",
      (n) => `A paragraph **number ${n}** with \`code\`, [a link](https://a.example) and more words.\n\n`,
    ),
    "one list": fill("", (n) => `- item **${n}** with some words in it\n`),
    "one table": fill("| n | words | kg |\n|---|---|---|\n", (n) => `| ${n} | some *words* here | ${n * 3} kg |\n`),
    "one listing": fill("```ts\n", (n) => `const value${n} = compute(${n}, "text"); // a comment\n`),
    "nested quotes": fill("", (n) => `> > quoted words number ${n} are **here**\n${n % 3 ? "" : "> >\n"}`),
    "one paragraph": fill("", (n) => `some words ${n} and *more* `),
  };
}
