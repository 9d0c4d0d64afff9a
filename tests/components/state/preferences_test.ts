import assert from "node:assert/strict";
import fc from "fast-check";
import { nextTheme, readSide, settleWidth, SIDE_WIDTHS, writeSide } from "../../../components/state/preferences.ts";

Deno.test("a width settles on one the style sheet has a rule for", async () => {
  const css = await Deno.readTextFile(new URL("../../../static/malama.css", import.meta.url));
  fc.assert(fc.property(fc.integer({ min: -100, max: 2000 }), (px) => {
    const width = settleWidth(px);
    assert.ok(width >= SIDE_WIDTHS.min && width <= SIDE_WIDTHS.max);
    assert.ok(css.includes(`[data-side="${width}"]`), String(width));
  }));
});

Deno.test("the side's cookie says what was set, and nonsense is the usual width", () => {
  for (const side of [{ width: 240, rail: false }, { width: 480, rail: true }]) {
    assert.deepEqual(readSide(writeSide(side)), side);
  }
  for (const text of [undefined, "", "wide", "99999", "-20", "240x"]) {
    assert.deepEqual(readSide(text), { width: 240, rail: false });
  }
  assert.deepEqual(readSide("999"), { width: 480, rail: false });
});

Deno.test("the theme's button walks all three and comes back", () => {
  assert.deepEqual(["auto", "light", "dark"].map((theme) => nextTheme(theme as "auto")), ["light", "dark", "auto"]);
});
