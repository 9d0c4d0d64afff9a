/**
 * Reads a document in a process of its own, because a parser that a hostile file drives out of memory takes its process along.
 *
 * Invariants (tests/toolsets/web/reader_test.ts)
 * 1. The process has no permissions, no environment but the place of its cache, and limits on time and memory.
 * 2. It has ended when the call ends, whichever way.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { type GroupOptions, type Limits, startGroup } from "../../core/sandbox/mod.ts";
import type { HtmlReading } from "./html.ts";
import type { PdfPart, PdfReading } from "./pdf.ts";
import type { ReaderAnswer, ReaderTask } from "./reader_task.ts";

/** A document cannot be read; `message` is for the model. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** How long and how large a reading may be; memory is that of JavaScript's heap, and what is outside of it has as much again. */
export type ReaderLimits = Pick<Limits, "seconds" | "memoryMb">;

const LIMITS: ReaderLimits = { seconds: 20, memoryMb: 512 };

/** What a process needs to find the libraries it imports. */
const PASSED = ["DENO_DIR", "HOME", "XDG_CACHE_HOME", "NPM_CONFIG_REGISTRY", "DENO_CERT", "DENO_TLS_CA_STORE", "PATH"];

/** Reads a page. Throws `Unreadable`, and the signal's reason. */
export async function readHtmlApart(
  html: string,
  url: string,
  signal: AbortSignal,
  limits: ReaderLimits = LIMITS,
): Promise<HtmlReading> {
  const answer = await readApart({ kind: "html", html, url }, new Uint8Array(), signal, limits);
  if (answer.kind === "html") return answer.reading;
  throw new Unreadable("The page's HTML could not be read: get_webpage_html shows it as it is");
}

/** Reads pages of a PDF. Throws `Unreadable`, and the signal's reason. */
export async function readPdfApart(
  bytes: Uint8Array<ArrayBuffer>,
  part: PdfPart,
  signal: AbortSignal,
  limits: ReaderLimits = LIMITS,
): Promise<PdfReading> {
  const answer = await readApart({ kind: "pdf", part }, bytes, signal, limits);
  if (answer.kind === "pdf") return answer.reading;
  const isLocked = answer.kind === "failed" && answer.error === "PasswordException";
  throw new Unreadable(
    isLocked
      ? "The PDF is locked with a password and cannot be read: use another source"
      : "The file says that it is a PDF, but it is damaged and cannot be read: use another source",
  );
}

async function readApart(
  task: ReaderTask,
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
  limits: ReaderLimits,
): Promise<ReaderAnswer> {
  const group = startGroup(readerStart(limits, (name) => Deno.env.get(name)), { seconds: limits.seconds }, signal);
  const { stdin, stdout, stderr } = group.child;
  const [end, output] = await Promise.all([
    group.ended,
    new Response(stdout).text(),
    stderr.pipeTo(new WritableStream()),
    // A process that ends early leaves its input unread; its end tells what happened.
    new Blob([`${JSON.stringify(task)}\n`, bytes]).stream().pipeTo(stdin).catch(() => {}),
  ]);
  signal.throwIfAborted();
  if (end.how === "time") {
    throw new Unreadable(`Reading it took longer than ${limits.seconds} seconds: use another source`);
  }
  if (end.how !== "exit" || end.code !== 0) {
    throw new Unreadable("Reading it took more memory than there is for it: use another source");
  }
  return JSON.parse(output);
}

/** What the reader is started as: Deno without a permission. What is outside of its heap, the system holds it to. */
export function readerStart({ memoryMb }: ReaderLimits, envOf: (name: string) => string | undefined): GroupOptions {
  const passed = PASSED.flatMap((name) => {
    const value = envOf(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    command: Deno.execPath(),
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      `--config=${fileURLToPath(new URL("../../deno.json", import.meta.url))}`,
      `--v8-flags=--max-old-space-size=${memoryMb}`,
      new URL("./reader_main.ts", import.meta.url).href,
    ],
    env: { NO_COLOR: "1", ...Object.fromEntries(passed) },
    stdin: "piped",
    // Such as an unpacked stream.
    eachMb: memoryMb * 2 + 400,
  };
}
