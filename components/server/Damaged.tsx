/**
 * The page of a damaged store: what is so, what it means, what to do. Never an empty list.
 *
 * @module
 */
import type { VNode } from "preact";
import type { Conversation } from "../../core/log/mod.ts";
import type { StorageHealth } from "../../core/storage/mod.ts";
import { Icon } from "../shell/Icon.tsx";

export interface DamagedProps {
  readonly health: Extract<StorageHealth, { state: "damaged" }>;
  readonly basePath: string;
  /** What can still be read. */
  readonly rows: readonly Conversation[];
}

export function Damaged({ health, basePath, rows }: DamagedProps): VNode {
  return (
    <div class="title-page">
      <main id="log">
        <Icon name="jar" />
        <h1>The store is damaged</h1>
        <p class="lede">
          It was opened for reading only, so that nothing is made worse. Nothing you write can be kept until it is put
          right.
        </p>
        <p class="lede">{sentence(health.advice)}</p>
        {rows.length > 0 && (
          <section class="readable" aria-labelledby="readable">
            <h2 id="readable">What can still be read</h2>
            <ul role="list">
              {rows.map((row) => (
                <li key={row.id}>
                  <a href={`${basePath}/c/${row.id}`}>{row.title}</a>
                </li>
              ))}
            </ul>
          </section>
        )}
        <p class="small">{sentence(health.detail)}</p>
      </main>
    </div>
  );
}

/** The same in one line, for pages that can still be read. */
export function DamagedBanner({ health, basePath }: Omit<DamagedProps, "rows">): VNode {
  return (
    <div class="banner" role="alert">
      <div>
        <b>The store is damaged and was opened for reading only.</b>
        <span>{sentence(health.advice)}</span>
        <a href={`${basePath}/`}>What to do</a>
      </div>
    </div>
  );
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
