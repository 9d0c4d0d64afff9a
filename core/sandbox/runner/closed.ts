/**
 * What code could leave behind for a later run, or be reached through, without any permission: taken away.
 *
 * @module
 */

/** Removes what persists or connects without a permission. What is left of it is parted by the origin of each run. */
export function closePersistence(): void {
  for (const name of ["caches", "localStorage", "sessionStorage", "BroadcastChannel", "indexedDB"]) {
    Reflect.deleteProperty(globalThis, name);
  }
}
