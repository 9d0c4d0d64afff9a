import assert from "node:assert/strict";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { BadEncoding, HostUnreachable, TooLarge } from "../../../core/egress/mod.ts";
import { openDoor, refusal, serve, serveBytes } from "./hosts.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const TEXT = new TextEncoder().encode("a page ".repeat(2_000));

const packed: readonly (readonly [encoding: string, bytes: Uint8Array])[] = [
  ["gzip", gzipSync(TEXT)],
  ["GZIP", gzipSync(TEXT)],
  ["x-gzip", gzipSync(TEXT)],
  ["deflate", deflateSync(TEXT)],
  ["deflate", deflateRawSync(TEXT)],
  ["br", brotliCompressSync(TEXT)],
  ["gzip, br", brotliCompressSync(gzipSync(TEXT))],
  ["identity", TEXT],
  ["", TEXT],
];

/** An answer with exactly these headers and bytes; Deno's own server would add and take away. */
function serveRaw(headers: string, body: Uint8Array, { length = body.byteLength } = {}) {
  return serveBytes(async (connection) => {
    const head = `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n${headers}connection: close\r\n\r\n`;
    await writeAll(connection, new TextEncoder().encode(head));
    await writeAll(connection, body);
  });
}

async function writeAll(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.byteLength;) at += await connection.write(bytes.subarray(at));
}

for (const [at, [encoding, bytes]] of packed.entries()) {
  Deno.test(`an answer packed with "${encoding}" is unpacked (${at})`, async () => {
    await using host = serveRaw(encoding ? `content-encoding: ${encoding}\r\n` : "", bytes);
    const answer = await openDoor().fetch(host.origin);
    assert.equal(text(answer.bytes), text(TEXT));
    assert.equal(answer.cut, false);
  });
}

Deno.test("a small answer that unpacks to a gigabyte is stopped at the limit", async () => {
  const bomb = gzipSync(new Uint8Array(200_000_000));
  assert(bomb.byteLength < 300_000);
  await using host = serveRaw("content-encoding: gzip\r\n", bomb);
  const error = await refusal(openDoor().fetch(host.origin, { maxBytes: 1_000_000 }));
  assert(error instanceof TooLarge);
  const { bytes, cut } = await openDoor().fetch(host.origin, { maxBytes: 1_000_000, onTooLarge: "cut" });
  assert.deepEqual([bytes.byteLength, cut], [1_000_000, true]);
});

Deno.test("a bomb inside of a bomb is stopped at the limit", async () => {
  await using host = serveRaw("content-encoding: gzip, gzip\r\n", gzipSync(gzipSync(new Uint8Array(200_000_000))));
  assert((await refusal(openDoor().fetch(host.origin, { maxBytes: 100_000 }))) instanceof TooLarge);
});

for (const encoding of ["zstd", "compress", "gzip, gzip, gzip", "x\tbad"]) {
  Deno.test(`an answer packed with "${encoding}" is refused by its name`, async () => {
    await using host = serveRaw(`content-encoding: ${encoding}\r\n`, TEXT);
    const error = await refusal(openDoor().fetch(host.origin));
    assert(error instanceof BadEncoding, String(error));
  });
}

Deno.test("an answer that is not what its header says is an error", async () => {
  await using host = serveRaw("content-encoding: gzip\r\n", TEXT);
  assert((await refusal(openDoor().fetch(host.origin))) instanceof BadEncoding);
});

Deno.test("a packed answer that ends early is an error", async () => {
  await using host = serveRaw("content-encoding: gzip\r\n", gzipSync(TEXT).subarray(0, 40));
  assert((await refusal(openDoor().fetch(host.origin))) instanceof BadEncoding);
});

Deno.test("an answer shorter than it promised is an error, and no short answer", async () => {
  await using host = serveRaw("", TEXT, { length: TEXT.byteLength + 10 });
  assert((await refusal(openDoor().fetch(host.origin))) instanceof HostUnreachable);
});

Deno.test("an answer in pieces that never closes the last one is an error", async () => {
  await using host = serveBytes(async (connection) => {
    await writeAll(
      connection,
      new TextEncoder().encode("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n"),
    );
  });
  assert((await refusal(openDoor().fetch(host.origin))) instanceof HostUnreachable);
});

Deno.test("an answer that promises more than the limit is refused at once, and cut when that is asked for", async () => {
  await using host = serve(() => new Response(new Uint8Array(5_000)));
  assert((await refusal(openDoor().fetch(host.origin, { maxBytes: 4_999 }))) instanceof TooLarge);
  const { bytes, cut } = await openDoor().fetch(host.origin, { maxBytes: 4_999, onTooLarge: "cut" });
  assert.deepEqual([bytes.byteLength, cut], [4_999, true]);
  assert.equal((await openDoor().fetch(host.origin, { maxBytes: 5_000 })).cut, false);
});

Deno.test("an endless answer is stopped at the limit, whatever its headers say", async () => {
  const endless = () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(50_000)) }));
  await using host = serve(endless);
  assert((await refusal(openDoor().fetch(host.origin, { maxBytes: 1_000_000 }))) instanceof TooLarge);
  const { bytes } = await openDoor().fetch(host.origin, { maxBytes: 1_000_000, onTooLarge: "cut" });
  assert.equal(bytes.byteLength, 1_000_000);
});

Deno.test("an answer without a body is empty, with a content-encoding too", async () => {
  await using host = serve(() => new Response(null, { status: 204, headers: { "content-encoding": "gzip" } }));
  assert.equal((await openDoor().fetch(host.origin)).bytes.byteLength, 0);
  await using empty = serveRaw("content-encoding: gzip\r\n", new Uint8Array());
  assert.equal((await openDoor().fetch(empty.origin)).bytes.byteLength, 0);
});
