/**
 * The service worker: keeps the shell of the page, so that it opens without a connection. `self.shell` is set by `/sw.js`.
 *
 * 1. Kept are files that are the same for everyone: scripts, the style sheet, the page that says there is no connection.
 *    No page of a person's, no answer of the API, no picture, and nothing a sign-in stands before.
 * 2. A page is always asked for; what is kept is shown only when nothing answers. So nothing stale is ever served.
 * 3. Nothing that was redirected or refused is kept: one such file, and this version is not installed.
 *
 * Tests: tests/islands/offline_browser_test.ts.
 */
const { base, hash, files } = self.shell;
const MINE = `malama:${base}:`;
const CACHE = MINE + hash;
const OFFLINE = `${base}/offline`;
/** What a program asks for or a person saves: none of ours to answer. */
const PROGRAM = /^\/(?:api|images|payloads|downloads|live|v1|mcp|hooks|healthz)(?:\/|$)/;
/** What a proxy answers when nobody is behind it; the product itself never does. */
const NOBODY = [502, 504];

self.addEventListener("install", (event) => {
  event.waitUntil(keep().then(() => self.skipWaiting(), dropThis));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOlder().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") {
    const isPage = pathname.startsWith(`${base}/`) && !PROGRAM.test(pathname.slice(base.length));
    if (isPage) event.respondWith(openPage(request, pathname, search));
  } else if (files.includes(pathname + search)) event.respondWith(openFile(request));
});

async function keep() {
  const cache = await caches.open(CACHE);
  const kept = await Promise.allSettled([OFFLINE, ...files].map(async (address) => {
    const fresh = address === OFFLINE ? "reload" : "default";
    const response = await fetch(address, { redirect: "error", credentials: "same-origin", cache: fresh });
    if (response.status !== 200) throw new Error(`${address} cannot be kept: ${response.status}`);
    await cache.put(address, response);
  }));
  for (const { status, reason } of kept) if (status === "rejected") throw reason;
}

/** Half a shell is none. */
async function dropThis(reason) {
  await caches.delete(CACHE);
  throw reason;
}

async function dropOlder() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(MINE) && name !== CACHE).map((name) => caches.delete(name)));
}

/** Makes no cache: after signing out there is none. */
function keptAs(request) {
  return caches.match(request, { cacheName: CACHE });
}

/** A file of the shell has its hash in its address: what is kept under it is what it is. */
async function openFile(request) {
  const kept = await keptAs(request);
  return kept ?? fetch(request);
}

/** The page, or the way to the one that says that there is none. */
async function openPage(request, pathname, search) {
  let refusal;
  try {
    const response = await fetch(request);
    if (!NOBODY.includes(response.status)) return response;
    refusal = response;
  } catch {
    refusal = Response.error();
  }
  const kept = await keptAs(OFFLINE);
  if (kept === undefined) return refusal;
  if (pathname === OFFLINE) return kept;
  return Response.redirect(`${OFFLINE}?to=${encodeURIComponent(pathname + search)}`, 302);
}
