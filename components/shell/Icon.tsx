/**
 * The icons: one sprite a page, each drawn by reference. Ids start with `i-`, so that none shadows a part of the page.
 *
 * @module
 */
import type { VNode } from "preact";

export type IconName =
  | "jar"
  | "side"
  | "plus"
  | "find"
  | "chat"
  | "more"
  | "chev"
  | "prev"
  | "next"
  | "pen"
  | "copy"
  | "again"
  | "send"
  | "stop"
  | "close"
  | "clip"
  | "half"
  | "sun"
  | "moon"
  | "pin"
  | "keep"
  | "save"
  | "dial"
  | "gear"
  | "check"
  | "go";

/** One icon, always beside a label or inside a button that has one. */
export function Icon({ name }: { name: IconName }): VNode {
  return (
    <svg class={name === "jar" ? "i jar" : "i"} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}

/** The chevron of a fold; drawn in place because it is small and turns. */
export function Chevron(): VNode {
  return (
    <svg class="chev" viewBox="0 0 8 8" aria-hidden="true">
      <path d="m2.5 1 3 3-3 3" />
    </svg>
  );
}

/** The symbols that `Icon` refers to; once a page. */
export function Sprite(): VNode {
  return (
    <svg hidden aria-hidden="true" width="0" height="0">
      <symbol id="i-jar" viewBox="0 0 20 20">
        <path d="M4.5 15.5V8.25a5.5 5.5 0 0 1 11 0v7.25" />
        <path d="M2.5 16h15" stroke-width="2" />
        <path d="M10 15.5v-5m0 1.75c0-2 1.2-3.1 3-3.1 0 2-1.1 3.1-3 3.1Zm0 1.75c0-1.6-1-2.5-2.6-2.5 0 1.6 1 2.5 2.6 2.5Z" />
      </symbol>
      <symbol id="i-side" viewBox="0 0 16 16">
        <rect x="1.75" y="2.75" width="12.5" height="10.5" rx="1.5" />
        <path d="M6 3v10" />
      </symbol>
      <symbol id="i-plus" viewBox="0 0 16 16">
        <path d="M8 3v10M3 8h10" />
      </symbol>
      <symbol id="i-find" viewBox="0 0 16 16">
        <circle cx="7" cy="7" r="4.25" />
        <path d="m10.25 10.25 3.25 3.25" />
      </symbol>
      <symbol id="i-chat" viewBox="0 0 16 16">
        <path d="M3 3.5h10M3 6.5h10M3 9.5h6M3 12.5h3" />
      </symbol>
      <symbol id="i-more" viewBox="0 0 16 16">
        <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2.25" />
      </symbol>
      <symbol id="i-prev" viewBox="0 0 16 16">
        <path d="m9.5 4.5-3.5 3.5 3.5 3.5" />
      </symbol>
      <symbol id="i-next" viewBox="0 0 16 16">
        <path d="m6.5 4.5 3.5 3.5-3.5 3.5" />
      </symbol>
      <symbol id="i-pen" viewBox="0 0 16 16">
        <path d="m3 13 .6-2.9L10.8 3l2.2 2.2-7.1 7.2L3 13Z" />
      </symbol>
      <symbol id="i-copy" viewBox="0 0 16 16">
        <rect x="5.25" y="5.25" width="8" height="8" rx="1" />
        <path d="M10.5 3.25v-.5h-7.75v7.75h.5" />
      </symbol>
      <symbol id="i-check" viewBox="0 0 16 16">
        <path d="m3.5 8.5 3 3 6-7" />
      </symbol>
      <symbol id="i-again" viewBox="0 0 16 16">
        <path d="M13 8a5 5 0 1 1-1.6-3.7M13 2.5v2.75h-2.75" />
      </symbol>
      <symbol id="i-send" viewBox="0 0 16 16">
        <path d="M8 13V3.5M3.75 7.5 8 3.25l4.25 4.25" />
      </symbol>
      <symbol id="i-stop" viewBox="0 0 16 16">
        <rect x="4" y="4" width="8" height="8" rx="1" fill="currentColor" />
      </symbol>
      <symbol id="i-close" viewBox="0 0 16 16">
        <path d="m4 4 8 8M12 4l-8 8" />
      </symbol>
      <symbol id="i-clip" viewBox="0 0 16 16">
        <path d="m12.75 7.5-4.9 4.9a2.9 2.9 0 0 1-4.1-4.1l5.3-5.3a1.9 1.9 0 0 1 2.7 2.7L6.5 10.9a.9.9 0 0 1-1.3-1.3l4.6-4.6" />
      </symbol>
      <symbol id="i-half" viewBox="0 0 16 16">
        <circle cx="8" cy="8" r="5.25" />
        <path d="M8 2.75a5.25 5.25 0 0 1 0 10.5Z" fill="currentColor" stroke="none" />
      </symbol>
      <symbol id="i-sun" viewBox="0 0 16 16">
        <circle cx="8" cy="8" r="2.75" />
        <path d="M8 1.75v1.5M8 12.75v1.5M1.75 8h1.5M12.75 8h1.5M3.6 3.6l1.05 1.05M11.35 11.35l1.05 1.05M3.6 12.4l1.05-1.05M11.35 4.65l1.05-1.05" />
      </symbol>
      <symbol id="i-moon" viewBox="0 0 16 16">
        <path d="M13.25 9.4A5.5 5.5 0 0 1 6.6 2.75a5.5 5.5 0 1 0 6.65 6.65Z" />
      </symbol>
      <symbol id="i-pin" viewBox="0 0 16 16">
        <path d="M5.5 2.5h5M6.25 2.5v4L4 9.25h8L9.75 6.5v-4M8 9.25v4.25" />
      </symbol>
      <symbol id="i-keep" viewBox="0 0 16 16">
        <path d="M4.25 2.75h7.5v10.5L8 10.25l-3.75 3Z" />
      </symbol>
      <symbol id="i-save" viewBox="0 0 16 16">
        <path d="M8 2.75v7M4.75 6.75 8 10l3.25-3.25M3 13.25h10" />
      </symbol>
      <symbol id="i-dial" viewBox="0 0 16 16">
        <path d="M2.75 11.5a5.5 5.5 0 1 1 10.5 0" />
        <path d="m8 10 2.5-3.5" />
      </symbol>
      <symbol id="i-gear" viewBox="0 0 16 16">
        <path d="M2.5 4.75h6M11.5 4.75h2M2.5 11.25h2M7.5 11.25h6" />
        <circle cx="10" cy="4.75" r="1.5" />
        <circle cx="6" cy="11.25" r="1.5" />
      </symbol>
      <symbol id="i-go" viewBox="0 0 16 16">
        <path d="M3 8h9.5M9 4.5 12.5 8 9 11.5" />
      </symbol>
    </svg>
  );
}
