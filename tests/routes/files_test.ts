import assert from "node:assert/strict";
import { join } from "node:path";
import { statusOf, type TestServer, withServer } from "../web/test_server.ts";

/** Ways to write "the file above": forty that have opened other people's files. */
const SPELLINGS = [
  "../token",
  "..%2ftoken",
  "..%2Ftoken",
  "%2e%2e%2ftoken",
  "%2e%2e/token",
  ".%2e/token",
  "%2e./token",
  "..%5ctoken",
  "..%5Ctoken",
  "..\\token",
  "%2e%2e%5ctoken",
  "..%252ftoken",
  "%252e%252e%252ftoken",
  "..%c0%aftoken",
  "..%c1%9ctoken",
  "%c0%ae%c0%ae%2ftoken",
  "..%e0%80%aftoken",
  "..%u2215token",
  "..%ef%bc%8ftoken",
  "....//token",
  "....%2f%2ftoken",
  "..;/token",
  "..%3b/token",
  "./../token",
  ".%2f..%2ftoken",
  "x/../../token",
  "x%2f..%2f..%2ftoken",
  "%2ftoken",
  "%2fetc%2fpasswd",
  "//etc/passwd",
  "%00/../token",
  "ok.txt%00.png",
  "ok.txt%2f..%2f..%2ftoken",
  "..%00/token",
  "C:%5cwindows%5cwin.ini",
  "c:token",
  "file:%2f%2f%2fetc%2fpasswd",
  "%7e/.malama/token",
  "..",
  "%2e%2e",
  ".",
  "%2e",
  ".hidden",
  "link.txt",
  "folder",
  "%ff%fe",
  "..%0d%0atoken",
  "%20..%2ftoken",
  `${"..%2f".repeat(40)}etc%2fpasswd`,
  "a".repeat(4000),
];

async function get(server: TestServer, path: string): Promise<string> {
  return await server.raw(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${server.server.port}\r\n` +
      `authorization: Bearer ${server.token}\r\nconnection: close\r\n\r\n`,
  );
}

async function withFiles(run: (server: TestServer, folder: string) => Promise<void>): Promise<void> {
  await withServer(async (server) => {
    const folder = join(server.dataDir, "downloads");
    await Deno.mkdir(join(folder, "folder"), { recursive: true });
    await Deno.writeTextFile(join(folder, "ok.txt"), "all is well");
    await Deno.writeTextFile(join(folder, ".hidden"), "hidden");
    await Deno.symlink(join(server.dataDir, "token"), join(folder, "link.txt"));
    await run(server, folder);
  });
}

for (const route of ["downloads", "images", "payloads"]) {
  Deno.test(`/${route}: no spelling leaves the folder`, () =>
    withFiles(async (server) => {
      assert.ok(SPELLINGS.length >= 40);
      for (const spelling of SPELLINGS) {
        const answer = await get(server, `/${route}/${spelling}`);
        assert.ok([400, 404, 414].includes(statusOf(answer)), `${spelling}: ${answer.slice(0, 200)}`);
        assert.ok(
          !answer.includes(server.token) && !answer.includes("root:") && !answer.includes("hidden\r"),
          spelling,
        );
      }
    }));
}

Deno.test("/downloads: a file is served under its bare name, as what it is", () =>
  withFiles(async (server, folder) => {
    await Deno.writeTextFile(join(folder, "Übersicht (2).md"), "# Hi");
    const answer = await server.fetch("/downloads/ok.txt");
    assert.equal(await answer.text(), "all is well");
    assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    assert.equal(answer.headers.get("content-disposition"), null);
    const named = await server.fetch("/downloads/%C3%9Cbersicht%20(2).md");
    assert.equal(await named.text(), "# Hi");
  }));

Deno.test("/downloads: what a browser would run is an attachment in a sandbox", () =>
  withFiles(async (server, folder) => {
    for (
      const name of [
        "a.html",
        "a.HTM",
        "a.svg",
        "a.xml",
        "a.js",
        "a.xhtml",
        "a.mjs",
        "a.pdf",
        "a.exe",
        "a",
        "a.txt.html",
      ]
    ) {
      await Deno.writeTextFile(join(folder, name), "<script>alert(1)</script>");
      const answer = await server.fetch(`/downloads/${name}`);
      await answer.body?.cancel();
      assert.equal(answer.status, 200, name);
      assert.match(answer.headers.get("content-disposition") ?? "", /^attachment; filename="a/, name);
      assert.match(answer.headers.get("content-security-policy") ?? "", /default-src 'none'.*sandbox/);
      assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    }
  }));

Deno.test("/downloads: ?download= saves under that name, made harmless", () =>
  withFiles(async (server) => {
    const disposition = async (name: string) => {
      const answer = await server.fetch(`/downloads/ok.txt?download=${encodeURIComponent(name)}`);
      await answer.body?.cancel();
      return answer.headers.get("content-disposition") ?? "";
    };
    assert.match(await disposition("report.txt"), /^attachment; filename="report\.txt"/);
    for (const name of ['a"b.txt', "a\r\nset-cookie: x=1", "../../etc/passwd", "a;b", "..", "\u202egpj.exe"]) {
      const value = await disposition(name);
      assert.match(value, /^attachment; filename="[\w ._()+,@=-]+"; filename\*=UTF-8''[\w%._()+@=-]+$/, name);
      assert.ok(!/filename="\./.test(value));
    }
    assert.match(await disposition("héllo.txt"), /filename="h_llo\.txt"; filename\*=UTF-8''h%C3%A9llo\.txt/);
  }));

Deno.test("/downloads: a missing folder is 404 and is not made", () =>
  withServer(async (server) => {
    const answer = await server.fetch("/downloads/ok.txt");
    assert.equal(answer.status, 404);
    assert.equal((await answer.json()).type, "urn:malama:problem:not-found");
    await assert.rejects(Deno.stat(join(server.dataDir, "downloads")), Deno.errors.NotFound);
  }));

Deno.test("/downloads: HEAD leaves no file open", () =>
  withFiles(async (server) => {
    for (let count = 0; count < 20; count++) {
      const answer = await server.fetch("/downloads/ok.txt", { method: "HEAD" });
      assert.equal(answer.status, 200);
      assert.equal(await answer.text(), "");
    }
  }));

Deno.test("/images: a stored picture is shown and may be kept; what is no picture is not there", () =>
  withServer(async (server) => {
    const { blobs } = server.assistant.storage;
    const { id } = await server.assistant.conversations.create();
    const picture = await blobs.put(new Uint8Array([1, 2, 3]), "image/png", id);
    const answer = await server.fetch(`/images/${picture}`);
    assert.deepEqual([...new Uint8Array(await answer.arrayBuffer())], [1, 2, 3]);
    assert.equal(answer.headers.get("content-type"), "image/png");
    assert.match(answer.headers.get("cache-control") ?? "", /private.*immutable/);
    assert.equal(answer.headers.get("content-disposition"), null);
    for (const type of ["image/svg+xml", "text/html", "application/json"]) {
      const other = await blobs.put(new TextEncoder().encode(type), type, id);
      assert.equal((await server.fetch(`/images/${other}`)).status, 404, type);
    }
  }));

Deno.test("/payloads: a captured request is shown as JSON, a page is saved", () =>
  withServer(async (server) => {
    const { blobs } = server.assistant.storage;
    const { id } = await server.assistant.conversations.create();
    const body = new TextEncoder().encode('{"model":"x"}');
    const hash = await blobs.put(body, "application/json", id);
    const shown = await server.fetch(`/payloads/${hash}`);
    assert.equal(await shown.text(), '{"model":"x"}');
    assert.equal(shown.headers.get("content-disposition"), null);
    const saved = await server.fetch(`/payloads/${hash}?download=request.json`);
    await saved.body?.cancel();
    assert.match(saved.headers.get("content-disposition") ?? "", /filename="request\.json"/);
    const page = await blobs.put(new TextEncoder().encode("<script>"), "text/html", id);
    const attached = await server.fetch(`/payloads/${page}`);
    await attached.body?.cancel();
    assert.match(attached.headers.get("content-disposition") ?? "", /^attachment/);
    for (const wrong of [hash.toUpperCase(), hash.slice(1), `${hash}0`, "0".repeat(64)]) {
      assert.equal((await server.fetch(`/payloads/${wrong}`)).status, 404);
    }
  }));

Deno.test("files need authentication like everything else", () =>
  withFiles(async (server) => {
    for (const path of ["/downloads/ok.txt", `/images/${"0".repeat(64)}`, `/payloads/${"0".repeat(64)}`]) {
      const answer = await fetch(`${server.server.url}${path}`);
      assert.equal(answer.status, 401);
      await answer.body?.cancel();
    }
  }));
