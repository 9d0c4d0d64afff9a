/**
 * A table: ruled, not boxed; figures at the right; wider ones scroll in a region of their own.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import type { Tokens } from "marked";
import type { MarkdownToken } from "./document.ts";

export interface TableProps {
  readonly token: Tokens.Table;
  readonly cell: (tokens: readonly MarkdownToken[]) => ComponentChildren;
}

export function Table({ token, cell }: TableProps): VNode {
  const kinds = token.header.map((_, column) => kindOf(token, column));
  const names = token.header.map((head) => head.text.trim()).filter((name) => name !== "").slice(0, 4);
  const label = names.length > 0 ? `Table: ${names.join(", ")}` : "Table";
  return (
    <div class={kinds.length >= 6 ? "wide many" : "wide"} role="region" aria-label={label} tabindex={0}>
      <table class="sheet-table">
        <thead>
          <tr>
            {token.header.map((head, column) => (
              head.text.trim() === ""
                ? <td key={column} class={kinds[column]} />
                : <th key={column} scope="col" class={kinds[column]}>{cell(head.tokens as MarkdownToken[])}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>
              {row.map((item, column) => (
                <td key={column} class={kinds[column]}>{cell(item.tokens as MarkdownToken[])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A column of figures stands at the right also when nobody said so. */
function kindOf(token: Tokens.Table, column: number): string | undefined {
  const align = token.align[column];
  if (align === "right") return "num";
  if (align === "center") return "mid";
  if (align === "left") return undefined;
  const cells = token.rows.map((row) => row[column]?.text.trim() ?? "").filter((text) => text !== "");
  const figures = cells.length > 0 &&
    cells.every((text) => /^[-+−~≈]?[$€£¥]?\s?\d[\d.,\u202f ]*\s?[%°a-zA-Z]{0,3}$/.test(text));
  return figures ? "num" : undefined;
}
