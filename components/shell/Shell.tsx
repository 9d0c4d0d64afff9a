/**
 * The frame of every page: the side, the head, and what the page puts between them.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import Palette from "../../islands/Palette.tsx";
import RoundPanel from "../../islands/RoundPanel.tsx";
import Sidebar from "../../islands/Sidebar.tsx";
import type { Boot } from "../state/boot.ts";
import { modelName } from "../words.ts";
import { Icon } from "./Icon.tsx";
import { KeySheet } from "./KeySheet.tsx";

export interface ShellProps {
  readonly boot: Boot;
  /** What stands in the head after the drawer's button: the title first. */
  readonly head: ComponentChildren;
  /** One plain line under the head. */
  readonly banner?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Shell({ boot, head, banner, children }: ShellProps): VNode {
  return (
    <>
      <a class="skip" href="#log">Skip to the {boot.page === "conversation" ? "conversation" : "page"}</a>
      <div class={boot.side.rail ? "shell rail" : "shell"} data-side={String(boot.side.width)}>
        <nav class="side" id="side" popover="auto" aria-label="Conversations and pages">
          <Sidebar boot={boot} />
        </nav>
        <div class="main">
          <header class="head">
            <button type="button" class="tool-button only-drawer" popovertarget="side" aria-label="Open the side">
              <Icon name="side" />
            </button>
            {head}
          </header>
          {banner}
          {children}
        </div>
        {(boot.page === "conversation" || boot.page === "start") && <RoundPanel boot={boot} />}
      </div>
      <Palette boot={boot} />
      <KeySheet />
      <div class="sr" role="status" aria-live="polite" id="spoken" />
    </>
  );
}

/** A page's own title in the head, where it cannot be renamed. */
export function PlainTitle({ text }: { text: string }): VNode {
  return (
    <>
      <h1 class="title" id="title">
        <span>{text}</span>
      </h1>
      <span class="spring" />
    </>
  );
}

/** Which model answers; on the demonstration, the way to a real one. */
export function ModelReading({ boot }: { boot: Boot }): VNode {
  const model = boot.conversation?.model ?? boot.model;
  return (
    <span class="reading wide-only">
      Model <b>{modelName(model)}</b>
      {model.startsWith("demo:") && <a href={`${boot.basePath}/#connect`}>Connect a real one</a>}
    </span>
  );
}
