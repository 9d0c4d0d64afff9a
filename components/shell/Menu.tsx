/**
 * A menu: a fold with a list of things to do. Escape and a click elsewhere close it (`watchMenus`). Without scripts only
 * its links are there, and a menu without links is not.
 *
 * @module
 */
import type { VNode } from "preact";
import { Icon, type IconName } from "./Icon.tsx";

interface Labelled {
  readonly icon: IconName;
  readonly label: string;
}

export interface MenuAction extends Labelled {
  readonly keys?: string;
  /** Stands last, after a rule. */
  readonly grave?: boolean;
  readonly onChoose: () => void;
}

/** A file to save. */
export interface MenuFile extends Labelled {
  readonly href: string;
}

export type MenuItem = MenuAction | MenuFile;

export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }): VNode {
  return (
    <details class={items.some(isFile) ? "menu" : "menu scripted"}>
      <summary class="tool-button" aria-label={label}>
        <Icon name="more" />
      </summary>
      <MenuSheet items={items} />
    </details>
  );
}

/** The list of a menu, for one that makes it when it opens. */
export function MenuSheet({ items }: { items: readonly MenuItem[] }): VNode {
  return (
    <ul class="sheet" role="list">
      {items.map((item) =>
        isFile(item)
          ? <FileItem key={item.label} item={item} />
          : (
            <li key={item.label} class={item.grave ? "rule scripted" : "scripted"}>
              <button
                type="button"
                onClick={(event) => {
                  const menu = event.currentTarget.closest("details");
                  if (menu) menu.open = false;
                  menu?.querySelector("summary")?.focus();
                  item.onChoose();
                }}
              >
                <Icon name={item.icon} />
                {item.label}
                {item.keys && <kbd>{item.keys}</kbd>}
              </button>
            </li>
          )
      )}
    </ul>
  );
}

function FileItem({ item }: { item: MenuFile }): VNode {
  return (
    <li>
      <a
        href={item.href}
        download
        onClick={(event) => {
          const menu = event.currentTarget.closest("details");
          if (menu) menu.open = false;
        }}
      >
        <Icon name={item.icon} />
        {item.label}
      </a>
    </li>
  );
}

function isFile(item: MenuItem): item is MenuFile {
  return "href" in item;
}

/**
 * Closes open menus when something else is clicked or Escape is pressed; gives the focus back to what opened them. A menu
 * that opens where its list would hang out of the window below is marked `data-up`, if there is room above.
 */
export function watchMenus(): () => void {
  const openMenus = () => document.querySelectorAll<HTMLDetailsElement>("details.menu[open]");
  const onClick = (event: Event) => {
    for (const menu of openMenus()) if (!menu.contains(event.target as Node)) menu.open = false;
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    for (const menu of openMenus()) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
      event.preventDefault();
    }
  };
  const onToggle = (event: Event) => {
    const menu = event.target;
    if (!(menu instanceof HTMLDetailsElement) || !menu.matches(".menu")) return;
    delete menu.dataset.up;
    // A list that is made when its menu opens stands in the next frame.
    if (menu.open) requestAnimationFrame(() => turnUp(menu));
  };
  addEventListener("click", onClick);
  addEventListener("keydown", onKey);
  addEventListener("toggle", onToggle, true);
  return () => {
    removeEventListener("toggle", onToggle, true);
    removeEventListener("click", onClick);
    removeEventListener("keydown", onKey);
  };
}

function turnUp(menu: HTMLDetailsElement): void {
  const sheet = menu.querySelector(".sheet")?.getBoundingClientRect();
  if (sheet && sheet.bottom > innerHeight && menu.getBoundingClientRect().top > sheet.height) menu.dataset.up = "";
}
