/**
 * Draws the icons of the installed page from `static/jar.svg`, into `static/icons/`: `deno run -A tests/islands/draw_icons.ts`.
 *
 * @module
 */
import { startChromium } from "../chromium.ts";

const STATIC = new URL("../../static/", import.meta.url);
const PAPER = "#f6f8f5";

interface Drawing {
  readonly name: string;
  /** Pixels a side. */
  readonly size: number;
  /** How much of a side the jar takes; a mask may cut away a tenth on each. */
  readonly jar: number;
  /** How round the paper's corners are, in percent of a side; where the system cuts the shape itself, not at all. */
  readonly round: number;
}

const DRAWINGS: readonly Drawing[] = [
  { name: "icon-192", size: 192, jar: 0.68, round: 22 },
  { name: "icon-512", size: 512, jar: 0.68, round: 22 },
  { name: "maskable-512", size: 512, jar: 0.52, round: 0 },
  { name: "apple-touch-icon", size: 180, jar: 0.62, round: 0 },
];

const jar = (await Deno.readTextFile(new URL("jar.svg", STATIC))).replace(/<style>.*<\/style>/, "");
await Deno.mkdir(new URL("icons/", STATIC), { recursive: true });
const browser = await startChromium();
const page = await browser.newPage();
for (const { name, size, jar: share, round } of DRAWINGS) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>
    body { margin: 0 } svg { width: ${100 * share}vw }
    div { height: 100vh; display: grid; place-items: center; background: ${PAPER}; border-radius: ${round}% }
  </style><div>${jar}</div>`);
  const bytes = await page.screenshot({ omitBackground: true });
  await Deno.writeFile(new URL(`icons/${name}.png`, STATIC), bytes);
}
await browser.close();
