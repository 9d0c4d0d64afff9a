/**
 * The terminal of a person: a line editor below the output.
 *
 * While nothing runs, the prompt stands on the last line. Before anything is printed the prompt is erased, and drawn again
 * after. While a turn runs the prompt is hidden; what is typed is kept by the editor and shown beside the running time.
 *
 * @module
 */
import process from "node:process";
import { createInterface, type Interface } from "node:readline";
import { PassThrough, Writable } from "node:stream";
import { oneLine } from "./control_filter.ts";
import { EventQueue } from "./event_queue.ts";
import { PASTE_MODE, PasteFilter } from "./paste_filter.ts";
import { END_SIGNALS, onSignals } from "./signals.ts";
import { type Style, styleFor } from "./style.ts";
import type { Terminal, TerminalEvent } from "./terminal.ts";

const PROMPT = "> ";

export class LineTerminal implements Terminal {
  readonly events = new EventQueue<TerminalEvent>();
  readonly interactive = true;
  readonly style: Style;
  readonly #editor: Interface;
  readonly #forget: () => void;
  readonly #colour: boolean;
  #working: string | null = null;
  #statusShown = false;
  #promptShown = false;
  /** Whether the last thing printed ended its line. */
  #atLineStart = true;
  readonly #pastes = new PasteFilter();
  readonly #keys = new PassThrough();
  #closed = false;

  constructor(colour: boolean) {
    this.#colour = colour;
    this.style = styleFor(colour);
    this.#editor = createInterface({
      input: this.#keys,
      output: this.#editorOutput(),
      terminal: true,
      prompt: PROMPT,
      historySize: 500,
    });
    this.#editor.on("line", (text) => this.#line(text));
    this.#editor.on("SIGINT", () => this.#interrupt());
    this.#editor.on("close", () => this.events.push({ kind: "end" }));
    process.stdin.setRawMode(true);
    process.stdin.setEncoding("utf8");
    process.stdin.on("data", this.#typed);
    this.#forget = onSignals(END_SIGNALS, () => this.events.push({ kind: "leave" }));
    process.stdout.write(PASTE_MODE.on);
    this.#drawPrompt();
  }

  /** Without styles the marks say what is bold and what is code. */
  get setsMarkdown(): boolean {
    return this.#colour;
  }

  get width(): number {
    return Math.max(40, process.stdout.columns || 80);
  }

  write(text: string): void {
    if (text === "") return;
    this.#erase();
    process.stdout.write(text);
    this.#atLineStart = text.endsWith("\n");
    this.#draw();
  }

  note(text: string): void {
    this.#erase();
    process.stderr.write(`${this.#atLineStart ? "" : "\n"}${text}\n`);
    this.#atLineStart = true;
    this.#draw();
  }

  working(text: string | null): void {
    if (text === this.#working) return;
    this.#erase();
    this.#working = text;
    if (text === null && !this.#atLineStart) {
      process.stdout.write("\n");
      this.#atLineStart = true;
    }
    this.#draw();
  }

  close(): void {
    if (this.#closed) return;
    this.#erase();
    this.#closed = true;
    process.stdin.off("data", this.#typed);
    process.stdin.pause();
    this.#forget();
    process.stdout.write(PASTE_MODE.off);
    process.stdin.setRawMode(false);
    this.#editor.close();
    this.events.end();
  }

  /** What the editor draws reaches the screen only while the prompt stands there. */
  #editorOutput(): Writable {
    const output = new Writable({
      write: (chunk, _encoding, done) => {
        if (this.#working === null && !this.#closed) process.stdout.write(chunk);
        done();
      },
    });
    const follow = () => Object.assign(output, { columns: process.stdout.columns, rows: process.stdout.rows });
    process.stdout.on("resize", () => {
      follow();
      output.emit("resize");
    });
    return follow();
  }

  readonly #typed = (text: string): void => {
    this.#keys.write(this.#pastes.push(text));
    if (this.#working === null) return;
    this.#erase();
    this.#draw();
  };

  #line(text: string): void {
    this.#promptShown = false;
    const whole = this.#pastes.restore(text);
    if (whole.trim() === "") return this.#draw();
    this.events.push({ kind: "line", text: whole });
  }

  /** Ctrl-C first drops what is typed, then is an interrupt. */
  #interrupt(): void {
    if (this.#working !== null || this.#editor.line === "") return this.events.push({ kind: "interrupt" });
    process.stdout.write("\n");
    Object.assign(this.#editor, { line: "", cursor: 0 });
    this.#drawPrompt();
  }

  #erase(): void {
    if (this.#statusShown) process.stdout.write("\r\u001b[K");
    this.#statusShown = false;
    if (this.#promptShown) {
      const { rows } = this.#editor.getCursorPos();
      process.stdout.write(`\r${rows > 0 ? `\u001b[${rows}A` : ""}\u001b[J`);
    }
    this.#promptShown = false;
  }

  #draw(): void {
    if (this.#closed || !this.#atLineStart) return;
    if (this.#working === null) this.#drawPrompt();
    else {
      const typed = this.#editor.line === "" ? "" : `  ${PROMPT}${this.#editor.line}`;
      const text = oneLine(this.#working + typed, this.width - 1);
      process.stdout.write(`\r\u001b[K${this.#colour ? this.style.dim(text) : text}`);
      this.#statusShown = true;
    }
  }

  #drawPrompt(): void {
    // The editor would first move up over the rows it drew before, which are erased.
    Object.assign(this.#editor, { prevRows: 0 });
    this.#editor.prompt(true);
    this.#promptShown = true;
  }
}
