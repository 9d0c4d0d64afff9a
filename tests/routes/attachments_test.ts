import assert from "node:assert/strict";
import { png, pngHeader } from "../core/log/sample_pictures.ts";
import { attachment as schema } from "../../web/schema.ts";
import { type TestServer, withServer } from "../web/test_server.ts";

const text = (words: string) => new TextEncoder().encode(words);

function attach(server: TestServer, name: string, body: BodyInit, type = "application/octet-stream") {
  const path = `/api/attachments?name=${encodeURIComponent(name)}`;
  return server.fetch(path, { method: "POST", body, headers: { "content-type": type } });
}

async function refused(answer: Response, status: number, says: RegExp) {
  assert.equal(answer.headers.get("content-type"), "application/problem+json");
  const { detail } = await answer.json();
  assert.equal(answer.status, status, detail);
  assert.match(detail, says);
  assert.doesNotMatch(detail, /[.!]$/);
}

Deno.test("POST /api/attachments stores a picture and says what it is", () =>
  withServer(async (server) => {
    const bytes = png(30, 20);
    const answer = await attach(server, "../map.png", bytes, "image/png");
    assert.equal(answer.status, 201);
    const stored = schema.parse(await answer.json());
    const { ref, ...rest } = stored;
    const expected = { name: "map.png", media_type: "image/png", bytes: bytes.length, width: 30, height: 20 };
    assert.deepEqual(rest, { kind: "image", ...expected });
    const served = await server.fetch(ref);
    assert.deepEqual(new Uint8Array(await served.arrayBuffer()), bytes);
    assert.equal(served.headers.get("content-type"), "image/png");
    assert.equal(served.headers.get("x-content-type-options"), "nosniff");
    assert.match(served.headers.get("content-security-policy") ?? "", /sandbox/);
  }));

Deno.test("POST /api/attachments: a page is served back as plain text in a sandbox, and runs nowhere", () =>
  withServer(async (server) => {
    const page = "<!doctype html><script>alert(1)</script>";
    const { kind, ref } = await (await attach(server, "page.html", page, "text/html")).json();
    assert.equal(kind, "file");
    const shown = await server.fetch(ref);
    assert.equal(await shown.text(), page);
    assert.equal(shown.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.equal(shown.headers.get("x-content-type-options"), "nosniff");
    assert.match(shown.headers.get("content-security-policy") ?? "", /default-src 'none'.*sandbox/);
    const saved = await server.fetch(`${ref}?download=${encodeURIComponent("../../pa\u202ege.html")}`);
    await saved.body?.cancel();
    const disposition = saved.headers.get("content-disposition") ?? "";
    assert.match(disposition, /^attachment; filename="/);
    assert.doesNotMatch(disposition, /\/|\\|%2f|%e2%80%ae/i, "no folder, nothing that turns the name around");
    const asPicture = await server.fetch(ref.replace("/payloads/", "/images/"));
    await asPicture.body?.cancel();
    assert.equal(asPicture.status, 404, "and it is no picture by another address");
  }));

Deno.test("POST /api/attachments refuses with a sentence what cannot be sent", () =>
  withServer(async (server) => {
    await refused(await attach(server, "cat.png", "<!doctype html><script>"), 415, /"cat\.png" is no picture/);
    await refused(await attach(server, "a.svg", "<svg/>", "image/svg+xml"), 415, /SVG drawing/);
    await refused(await attach(server, "a.pdf", text("%PDF\0")), 415, /neither a picture .* nor UTF-8 text/);
    await refused(await attach(server, "half.png", png(40, 40).slice(0, 60)), 415, /cut short/);
    await refused(await attach(server, "wall.png", pngHeader(60_000, 60_000)), 415, /3600 megapixels/);
    await refused(await attach(server, "log.txt", "a".repeat(2_000_001)), 415, /larger than 2 MB/);
    await refused(await attach(server, "nothing.txt", ""), 415, /is empty/);
    await refused(await attach(server, "", "text"), 400, /name/);
    await refused(await attach(server, "n".repeat(1001), "text"), 400, /name/);
    const { database } = server.assistant.storage;
    assert.deepEqual(await database.read("select hash from blobs"), [], "nothing of it is kept");
  }));

Deno.test("POST /api/attachments takes 16 MiB and no more, with and without a length said beforehand", () =>
  withServer(async (server) => {
    const most = 16 * 1024 * 1024;
    const fits = await attach(server, "large.png", png(64, 64, { bytes: most }));
    assert.equal(fits.status, 201, await fits.text());
    const over = png(64, 64, { bytes: most + 100 });
    await refused(await attach(server, "over.png", over), 413, /16 MiB at most/);
    const stream = new Blob([over]).stream();
    await refused(await attach(server, "over.png", stream), 413, /16 MiB at most/);
  }));

Deno.test("POST /api/attachments needs authentication, and takes nothing from another page", () =>
  withServer(async (server) => {
    const url = `${server.server.url}/api/attachments?name=a.txt`;
    const stranger = await fetch(url, { method: "POST", body: "text" });
    await stranger.body?.cancel();
    assert.equal(stranger.status, 401);
    const headers = { cookie: await server.signIn(), origin: "https://evil.example" };
    const forged = await fetch(url, { method: "POST", body: "text", headers });
    await forged.body?.cancel();
    assert.equal(forged.status, 403);
    assert.deepEqual(await server.assistant.storage.database.read("select hash from blobs"), []);
  }));

Deno.test("POST messages takes what was stored by its reference, and tells a wrong one apart from wrong data", () =>
  withServer(async (server) => {
    const { id } = await server.assistant.conversations.create();
    const path = `/api/conversations/${id}/messages`;
    const image = await (await attach(server, "map.png", png(3, 2))).json();
    const file = await (await attach(server, "notes.md", "# Notes")).json();
    const sent = await server.send("POST", path, { text: "", images: [image], files: [file] });
    assert.equal(sent.status, 202, await sent.text());
    const wrong = [
      [{ images: [{ ...image, ref: "/images/../token" }] }, "images.0.ref"],
      [{ images: [{ name: "a.png", media_type: "image/png", data: "not base64!" }] }, "images.0.data"],
      [{ files: [{ ...file, ref: image.ref }] }, "files.0.ref"],
      [{ files: Array(21).fill(file) }, "files"],
    ] as const;
    for (const [body, at] of wrong) {
      const answer = await server.send("POST", path, { text: "Look", ...body });
      assert.equal(answer.status, 400, at);
      assert.deepEqual((await answer.json()).errors.map(({ path }: { path: string }) => path), [at]);
    }
  }));
