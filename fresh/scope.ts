/**
 * Which request, and which rendering, the code that runs belongs to. Components are plain functions, so `asset()`, `Head`
 * and the renderer's hooks find their page here; two requests, or two apps in one process, never see each other's.
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { VNode } from "preact";
import { assetAddress, assetSeam } from "./asset.ts";
import { headSeam } from "./head.ts";
import type { Island, Snapshot } from "./snapshot.ts";

/** An island as it stands in the page: its place in this list is its number in the markers. */
export interface IslandUse {
  readonly island: Island;
  readonly props: Readonly<Record<string, unknown>>;
}

/** Markup handed to an island: drawn in its place, or kept in a template when the island did not draw it. */
export interface SlotUse {
  readonly content: unknown;
  isDrawn: boolean;
}

/** What one rendering gathers. */
export interface RenderState {
  readonly nonce: string | null;
  readonly islands: IslandUse[];
  readonly slots: SlotUse[];
  readonly head: VNode[];
  /** The content hashes of the static files that `asset()` was asked for. */
  readonly assets: Map<string, string>;
  /** Elements that stand for an island's own component and must not be wrapped again. */
  readonly unwrapped: WeakSet<VNode>;
}

/** What holds for the code that runs now. */
export interface Scope {
  readonly basePath: string;
  readonly snapshot: Snapshot | null;
  readonly render: RenderState | null;
}

const storage = new AsyncLocalStorage<Scope>();

/** Runs a function, and all it starts, inside a scope. */
export function runInScope<Result>(scope: Scope, run: () => Result): Result {
  return storage.run(scope, run);
}

/** The scope of the code that runs, if any. */
export function currentScope(): Scope | undefined {
  return storage.getStore();
}

assetSeam.resolve = (path) => {
  const { basePath = "", snapshot = null, render = null } = currentScope() ?? {};
  return assetAddress(path, basePath, (pathname) => {
    const hash = snapshot?.staticHash(pathname) ?? null;
    if (hash !== null) render?.assets.set(pathname, hash);
    return hash;
  });
};

headSeam.hoist = (elements) => currentScope()?.render?.head.push(...elements);
