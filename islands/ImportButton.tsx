/**
 * The button that makes a conversation of a file.
 *
 * @module
 */
import type { VNode } from "preact";
import type { Boot } from "../components/state/boot.ts";
import { chooseImport } from "../components/state/importing.ts";
import { pageOf } from "../components/state/page.ts";

export default function ImportButton({ boot }: { boot: Boot }): VNode {
  return (
    <button type="button" class="button scripted" onClick={() => chooseImport(pageOf(boot))}>
      Import a conversation…
    </button>
  );
}
