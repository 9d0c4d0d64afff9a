/**
 * A table: ruled, not boxed; figures at the right; wider ones scroll in a region of their own.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { useRef } from "preact/hooks";
import type { Tokens } from "marked";
import { Columns, columnWidths } from "./columns.ts";
import type { MarkdownToken } from "./document.ts";
import { Growing } from "./Growing.tsx";

export interface TableProps {
  readonly token: Tokens.Table;
  readonly cell: (tokens: readonly MarkdownToken[]) => ComponentChildren;
  readonly final: boolean;
  /** The link definitions the cells were parsed with. */
  readonly links: string;
  /** Whether it is being written. */
  readonly tip: boolean;
  readonly hasFormula: (text: string) => boolean;
}

type Row = Tokens.Table["rows"][number];

export function Table({ token, cell, final, links, tip, hasFormula }: TableProps): VNode {
  const columns = useRef<Columns>();
  const kinds = (columns.current ??= new Columns()).kinds(token);
  const widths = columnWidths(token);
  const names = token.header.map((head) => head.text.trim()).filter((name) => name !== "").slice(0, 4);
  const label = names.length > 0 ? `Table: ${names.join(", ")}` : "Table";
  return (
    <div
      class={`${kinds.length >= 6 ? "wide many" : "wide"}${tip ? " tip" : ""}`}
      role="region"
      aria-label={label}
      tabindex={0}
    >
      <table class={widths ? "sheet-table long" : "sheet-table"}>
        {widths && <colgroup>{widths.map((width, column) => <col key={column} width={`${width}%`} />)}</colgroup>}
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
          <Growing
            items={token.rows}
            draw={(row) => (
              <tr>
                {row.map((item, column) => (
                  <td key={column} class={kinds[column]}>{cell(item.tokens as MarkdownToken[])}</td>
                ))}
              </tr>
            )}
            isOther={(held: Row, next: Row, becomesFinal) =>
              held.length !== next.length || next.some(({ text }, column) => held[column]!.text !== text) ||
              becomesFinal && next.some(({ text }) => hasFormula(text))}
            final={final}
            version={`${kinds.join()} ${links}`}
          />
        </tbody>
      </table>
    </div>
  );
}
