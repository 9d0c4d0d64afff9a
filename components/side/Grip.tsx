/**
 * The edge of the side: dragged, or moved with the arrow keys, between 180 and 480 pixels; below 120 it is the rail.
 *
 * @module
 */
import type { VNode } from "preact";
import type { Side } from "../state/boot.ts";
import { settleWidth, SIDE_WIDTHS } from "../state/preferences.ts";

export function Grip({ side, onSide }: { side: Side; onSide: (side: Side) => void }): VNode {
  const drag = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const grip = event.currentTarget;
    const shell = document.querySelector<HTMLElement>(".shell");
    let px = event.clientX;
    grip.setPointerCapture(event.pointerId);
    grip.onpointermove = (move) => {
      px = move.clientX;
      shell?.classList.toggle("rail", px < SIDE_WIDTHS.rail);
      shell?.style.setProperty("--side-w", `${Math.min(SIDE_WIDTHS.max, Math.max(SIDE_WIDTHS.min, px))}px`);
    };
    grip.onlostpointercapture = () => {
      grip.onpointermove = null;
      grip.onlostpointercapture = null;
      onSide(px < SIDE_WIDTHS.rail ? { ...side, rail: true } : { width: settleWidth(px), rail: false });
    };
  };
  return (
    <div
      class="grip scripted"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the side"
      aria-valuemin={SIDE_WIDTHS.min}
      aria-valuemax={SIDE_WIDTHS.max}
      aria-valuenow={side.width}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={(event) => {
        const step = event.key === "ArrowRight" ? SIDE_WIDTHS.step : event.key === "ArrowLeft" ? -SIDE_WIDTHS.step : 0;
        if (step !== 0) onSide({ width: settleWidth(side.width + step), rail: false });
      }}
    />
  );
}
