/**
 * A button that copies a text, on pages that are otherwise drawn by the server alone.
 *
 * @module
 */
import type { VNode } from "preact";
import { CopyButton } from "../components/shell/CopyButton.tsx";

export default function Copy({ text, label }: { text: string; label: string }): VNode {
  return <CopyButton text={text} label={label} />;
}
