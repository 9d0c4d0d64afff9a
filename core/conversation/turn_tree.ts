/**
 * The tree of turns: which of them are in view, and what stands beside each.
 *
 * @module
 */
import type { PathTurn, Turn } from "../log/mod.ts";

/** The turns from the root to `head`, each with all versions of it, oldest first. A head that is not there gives none. */
export function pathTo(turns: readonly Turn[], head: string | null): PathTurn[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const versions = Map.groupBy(turns, (turn) => turn.parent);
  const path: PathTurn[] = [];
  for (let turn = byId.get(head ?? ""); turn; turn = byId.get(turn.parent ?? "")) {
    path.push({ ...turn, siblings: (versions.get(turn.parent) ?? []).map((each) => each.id) });
  }
  return path.reverse();
}
