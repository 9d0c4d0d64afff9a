/**
 * A terminal that is a script: lines are typed by the test, and what is printed is kept.
 *
 * @module
 */
import assert from "node:assert/strict";
import { EventQueue } from "../../cli/event_queue.ts";
import { styleFor } from "../../cli/style.ts";
import type { Terminal, TerminalEvent } from "../../cli/terminal.ts";

const DEADLINE = 10_000;

export class ScriptedTerminal implements Terminal {
  readonly events = new EventQueue<TerminalEvent>();
  readonly style = styleFor(false);
  readonly width = 80;
  out = "";
  notes = "";
  status: string | null = null;
  readonly #waiting = new Set<() => void>();

  constructor(readonly interactive: boolean) {}

  write(text: string): void {
    this.out += text;
    this.#changed();
  }

  note(text: string): void {
    this.notes += `${text}\n`;
    this.#changed();
  }

  working(text: string | null): void {
    this.status = text;
    this.#changed();
  }

  close(): void {
    this.events.end();
  }

  type(...lines: string[]): void {
    for (const text of lines) this.events.push({ kind: "line", text });
  }

  end(): void {
    this.events.push({ kind: "end" });
  }

  interrupt(): void {
    this.events.push({ kind: "interrupt" });
  }

  /** Waits until `holds` is true, looking again whenever something is printed. */
  async until(holds: (terminal: ScriptedTerminal) => boolean, what: string): Promise<void> {
    const deadline = setTimeout(() => this.#changed(), DEADLINE);
    const started = performance.now();
    try {
      while (!holds(this)) {
        if (performance.now() - started >= DEADLINE - 100) {
          assert.fail(`never ${what}; printed: ${JSON.stringify(this.out)}, noted: ${JSON.stringify(this.notes)}`);
        }
        await new Promise<void>((resolve) => this.#waiting.add(resolve));
      }
    } finally {
      clearTimeout(deadline);
    }
  }

  #changed(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }
}
