/**
 * References to stored files in the data of entries, found by the database itself.
 *
 * @module
 */

/**
 * A query of the hashes that entries name: `/payloads/<sha256>` and `/images/<sha256>` at any depth of their data. `where`
 * is a condition on `entries`; text that is no JSON names nothing.
 */
export function namedHashes(where: string): string {
  return `select substr(tree.atom, -64) from entries, json_tree(case
      when (instr(entries.data, '"/payloads/') or instr(entries.data, '"/images/')) and json_valid(entries.data)
      then entries.data else '{}' end) as tree
    where ${where} and tree.type = 'text' and (
      tree.atom glob '/payloads/*' and length(tree.atom) = 74 or tree.atom glob '/images/*' and length(tree.atom) = 72)`;
}
