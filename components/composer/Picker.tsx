/**
 * A button that opens a list of choices: arrows, Home and End walk it, letters go to the choice that begins so, or into its
 * filter; Escape and a click elsewhere close it (`watchMenus`) and give the focus back.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { useRef } from "preact/hooks";
import { Icon } from "../shell/Icon.tsx";

export interface PickerProps {
  /** What is chosen here. */
  readonly label: string;
  /** What is chosen, in words; for those who cannot see the face. */
  readonly value?: string;
  readonly face: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
  readonly onOpen?: () => void;
  readonly onClose?: () => void;
}

export function Picker({ label, value, face, class: style, children, onOpen, onClose }: PickerProps): VNode {
  const menu = useRef<HTMLDetailsElement>(null);
  const named = value === undefined ? label : `${label}: ${value}`;
  return (
    <details
      ref={menu}
      class={`menu picker scripted ${style ?? ""}`}
      onToggle={({ currentTarget }) => {
        if (!currentTarget.open) return onClose?.();
        onOpen?.();
        firstFocus(currentTarget)?.focus();
      }}
      onKeyDown={(event) => walk(event, event.currentTarget)}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
      }}
    >
      <summary class="pick" aria-label={named} title={named}>{face}</summary>
      <div class="sheet" role="group" aria-label={label}>{children}</div>
    </details>
  );
}

export interface ChoiceProps {
  readonly children: ComponentChildren;
  readonly onChoose: () => void;
  /** Absent where choosing does something rather than keeping something. */
  readonly chosen?: boolean;
  readonly disabled?: boolean;
}

/** One line of the list. */
export function Choice({ children, onChoose, chosen, disabled }: ChoiceProps): VNode {
  return (
    <li>
      <button
        type="button"
        class="choice"
        aria-pressed={chosen}
        aria-disabled={disabled || undefined}
        onClick={({ currentTarget }) => {
          if (disabled) return;
          const menu = currentTarget.closest("details");
          if (menu) menu.open = false;
          menu?.querySelector("summary")?.focus();
          onChoose();
        }}
      >
        {chosen !== undefined && <span class="tick">{chosen && <Icon name="check" />}</span>}
        {children}
      </button>
    </li>
  );
}

/** Says that there is something to open. */
export function Chevron(): VNode {
  return (
    <svg class="chev" viewBox="0 0 8 8" aria-hidden="true">
      <path d="m2.5 1 3 3-3 3" />
    </svg>
  );
}

function choicesOf(menu: HTMLElement): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>(".choice")];
}

/** The filter, unless that would bring up a keyboard on the screen; else what is chosen. */
function firstFocus(menu: HTMLElement): HTMLElement | null {
  const filter = menu.querySelector<HTMLInputElement>("input");
  if (filter && matchMedia("(pointer: fine)").matches) return filter;
  return menu.querySelector<HTMLElement>('.choice[aria-pressed="true"]') ?? choicesOf(menu)[0] ?? null;
}

function walk(event: KeyboardEvent, menu: HTMLDetailsElement): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const filter = menu.querySelector<HTMLInputElement>("input");
  const inFilter = event.target === filter;
  const choices = choicesOf(menu);
  const at = choices.indexOf(event.target as HTMLElement);
  const to = target(event.key, at, choices.length, inFilter);
  if (event.key === "ArrowDown" && !menu.open) menu.open = true;
  else if (inFilter && event.key === "Enter") choices.find(isReady)?.click();
  else if (to === "filter") filter?.focus();
  else if (to !== null) choices[to]?.focus();
  else if (!inFilter && menu.open && event.key.length === 1 && event.key !== " ") {
    // The letter itself then arrives in the filter.
    if (filter) return filter.focus();
    startingWith(event.key, choices, at)?.focus();
  } else return;
  event.preventDefault();
}

/** Where a key leads: a place in the list, the filter above it, or nowhere. */
function target(key: string, at: number, length: number, inFilter: boolean): number | "filter" | null {
  switch (key) {
    case "ArrowDown":
      return at + 1 < length ? at + 1 : 0;
    case "ArrowUp":
      return at > 0 ? at - 1 : at === 0 ? "filter" : length - 1;
    case "Home":
      return inFilter ? null : 0;
    case "End":
      return inFilter ? null : length - 1;
    default:
      return null;
  }
}

function isReady(choice: HTMLElement): boolean {
  return choice.getAttribute("aria-disabled") !== "true";
}

function startingWith(letter: string, choices: readonly HTMLElement[], at: number): HTMLElement | undefined {
  const fits = (choice: HTMLElement) => choice.textContent?.trim().toLowerCase().startsWith(letter.toLowerCase());
  return [...choices.slice(at + 1), ...choices.slice(0, at + 1)].find(fits);
}
