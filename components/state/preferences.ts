/**
 * How a person set the page up: the theme and the side. Kept in cookies, so that the server draws it so from the start.
 *
 * @module
 */
import type { Side, Theme } from "./boot.ts";

/** The same name the server reads (`web/state.ts`). */
const THEME_COOKIE = "malama_theme";
export const SIDE_COOKIE = "malama_side";

export const SIDE_WIDTHS = { min: 180, max: 480, step: 20, usual: 240, rail: 120 } as const;

/** The width the style sheet has a rule for that is nearest. */
export function settleWidth(px: number): number {
  const { min, max, step } = SIDE_WIDTHS;
  return Math.min(max, Math.max(min, Math.round(px / step) * step));
}

/** Reads the side's cookie; anything odd is the usual width. */
export function readSide(value: string | undefined): Side {
  const match = /^(\d{3})(r?)$/.exec(value ?? "");
  if (!match) return { width: SIDE_WIDTHS.usual, rail: false };
  return { width: settleWidth(Number(match[1])), rail: match[2] === "r" };
}

export function writeSide(side: Side): string {
  return `${settleWidth(side.width)}${side.rail ? "r" : ""}`;
}

/** A year: a preference, not a login. */
function keep(basePath: string, name: string, value: string): void {
  document.cookie = `${name}=${value}; path=${basePath || "/"}; max-age=31536000; samesite=strict`;
}

/** Shows a theme now and keeps it. */
export function setTheme(basePath: string, theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  keep(basePath, THEME_COOKIE, theme);
}

/** Sets the side now and keeps it. */
export function setSide(basePath: string, side: Side): void {
  const shell = document.querySelector<HTMLElement>(".shell");
  if (!shell) return;
  shell.style.removeProperty("--side-w");
  shell.dataset.side = String(settleWidth(side.width));
  shell.classList.toggle("rail", side.rail);
  keep(basePath, SIDE_COOKIE, writeSide(side));
}

/** The theme after this one, as the button walks them. */
export function nextTheme(theme: Theme): Theme {
  return theme === "auto" ? "light" : theme === "light" ? "dark" : "auto";
}
