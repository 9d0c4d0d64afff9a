/**
 * After signing out: what this browser kept for the page goes. Drafts, unsent messages, the kept shell and the worker that
 * keeps it. Only what is below this base path: other things may live on the same host.
 */
const base = new URL(".", document.currentScript.src).pathname;
const mine = `malama:${base.slice(0, -1)}:`;

try {
  for (const key of Object.keys(localStorage)) if (key.startsWith(mine)) localStorage.removeItem(key);
} catch {
  // The browser keeps its storage closed: nothing was kept.
}

if (globalThis.caches) {
  caches.keys().then((names) => {
    for (const name of names) if (name.startsWith(mine)) caches.delete(name);
  });
}

navigator.serviceWorker?.getRegistrations().then((registrations) => {
  for (const registration of registrations) {
    if (new URL(registration.scope).pathname === base) registration.unregister();
  }
});
