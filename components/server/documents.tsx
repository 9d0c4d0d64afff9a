/**
 * The documents on the memory page: where each is kept, how long it is, and the file to save.
 *
 * @module
 */
import type { VNode } from "preact";
import type { DocumentInfo } from "../../core/memory/mod.ts";
import type { Boot } from "../state/boot.ts";
import { day, some } from "../words.ts";

export interface DocumentsProps {
  readonly boot: Boot;
  readonly documents: { readonly items: readonly DocumentInfo[]; readonly next: string | null };
}

export function Documents({ boot, documents: { items, next } }: DocumentsProps): VNode {
  return (
    <section aria-labelledby="documents">
      <h2 id="documents">Documents</h2>
      {items.length === 0
        ? (
          <p class="help">
            None yet. Longer texts that your assistant keeps for later (notes, plans, lists) appear here.
          </p>
        )
        : (
          <ul role="list" class="rules">
            {items.map((document) => (
              <li key={document.path}>
                <div>
                  <p dir="auto">
                    <a href={`${boot.basePath}/memory/${addressOf(document.path)}`}>{document.path}</a>
                  </p>
                  <p class="help">{some(document.characters, "character")}, changed on {day(document.updated_at)}</p>
                </div>
              </li>
            ))}
          </ul>
        )}
      {next !== null && <p class="help">There are more, after {next}.</p>}
    </section>
  );
}

/** A path in an address: its slashes stay. */
function addressOf(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
