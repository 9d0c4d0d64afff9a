import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { readerStart, readHtmlApart, readPdfApart, Unreadable } from "../../../toolsets/web/reader.ts";
import { refusal } from "../../core/egress/hosts.ts";
import { assemble, pdfOf } from "./pdf_files.ts";

const never = new AbortController().signal;
const all = { from: 1, maxChars: 10_000 };

Deno.test("a page and a PDF are read in a process of their own", async () => {
  assert.equal((await readHtmlApart("<h1>日本</h1>", "https://a.example/", never)).markdown, "# 日本");
  assert.equal((await readPdfApart(pdfOf(["words"]), all, never)).pages[0]?.text, "words");
});

Deno.test("a reading that takes too long is ended, and it is said", async () => {
  const error = await refusal(readHtmlApart("<p>x", "https://a.example/", never, { seconds: 0.001, memoryMb: 512 }));
  assert(error instanceof Unreadable);
  assert.match(error.message, /longer than 0.001 seconds/);
});

Deno.test("a page that takes more memory than there is ends its reader alone", async () => {
  const deep = "<div><p>x".repeat(300_000);
  const error = await refusal(readHtmlApart(deep, "https://a.example/", never, { seconds: 20, memoryMb: 64 }));
  assert(error instanceof Unreadable, String(error));
});

Deno.test("a PDF that unpacks to gigabytes ends its reader alone", async () => {
  // A page whose content is a stream of streams of nothing.
  const packed = deflateSync(deflateSync(new Uint8Array(1_000_000_000), { level: 1 }), { level: 9 });
  const bytes = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  const objects = [
    "",
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << >> >>",
    `<< /Length ${bytes.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n${bytes}\nendstream`,
  ];
  const file = assemble(objects, "/Root 1 0 R");
  assert(file.byteLength < 1_000_000);
  const limits = { seconds: 20, memoryMb: 128 };
  // Either the parser gives up on the stream or its process does; this one lives, and the answer is an answer.
  const result = await readPdfApart(file, all, never, limits).then(({ pages }) => pages[0]?.text, (error) => error);
  assert(result === "" || result instanceof Unreadable, String(result));
});

Deno.test("a damaged PDF and a locked one are told apart", async () => {
  const damaged = await refusal(readPdfApart(new TextEncoder().encode("%PDF-1.4 nothing"), all, never));
  assert(damaged instanceof Unreadable);
  assert.match(damaged.message, /damaged/);
  const objects = [
    "",
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [] /Count 0 >>",
    `<< /Filter /Standard /V 1 /R 2 /O <${"41".repeat(32)}> /U <${"42".repeat(32)}> /P -4 >>`,
  ];
  const locked = assemble(objects, `/Root 1 0 R /Encrypt 3 0 R /ID [<${"43".repeat(16)}> <${"43".repeat(16)}>]`);
  const error = await refusal(readPdfApart(locked, all, never));
  assert(error instanceof Unreadable);
  assert.match(error.message, /password/);
});

Deno.test("a stop ends the reader with its own reason", async () => {
  const stop = new AbortController();
  const reason = new Error("the turn was stopped");
  const work = refusal(readHtmlApart("<p>x", "https://a.example/", stop.signal));
  stop.abort(reason);
  assert.equal(await work, reason);
  assert.equal(await refusal(readHtmlApart("<p>x", "https://a.example/", stop.signal)), reason);
});

Deno.test("the reader is started without a permission, and with nothing of the environment that is a secret", () => {
  const asked = (name: string) => `value of ${name}`;
  const { args, env } = readerStart({ seconds: 0.001, memoryMb: 64 }, asked);
  assert.deepEqual(args.filter((arg) => /^(?:-A|-[a-z]$|--allow)/.test(arg)), []);
  assert(args.includes("--no-prompt"));
  assert.deepEqual(Object.keys(env).filter((name) => /KEY|TOKEN|PASSWORD|SECRET|PROXY/.test(name)), []);
  assert.equal(env.DENO_DIR, "value of DENO_DIR");
});
