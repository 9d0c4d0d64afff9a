/**
 * The reader's process: it has no permissions, reads one document from its input, and writes what it says to its output.
 *
 * @module
 */
import type { ReaderAnswer, ReaderTask } from "./reader_task.ts";

async function read(task: ReaderTask, bytes: Uint8Array): Promise<ReaderAnswer> {
  try {
    switch (task.kind) {
      case "html": {
        const { readHtml } = await import("./html.ts");
        return { kind: "html", reading: readHtml(task.html, task.url) };
      }
      case "pdf": {
        const { readPdf } = await import("./pdf.ts");
        return { kind: "pdf", reading: await readPdf(bytes, task.part) };
      }
    }
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { kind: "failed", error: name, message };
  }
}

if (import.meta.main) {
  // The answer alone goes to the output, whatever a library has to say.
  for (const level of ["log", "info", "debug", "warn"] as const) console[level] = console.error;
  const input = new Uint8Array(await new Response(Deno.stdin.readable).arrayBuffer());
  const end = input.indexOf(10);
  const task: ReaderTask = JSON.parse(new TextDecoder().decode(input.subarray(0, end)));
  const answer = await read(task, input.slice(end + 1));
  await new Response(JSON.stringify(answer)).body?.pipeTo(Deno.stdout.writable);
  Deno.exit(0);
}
