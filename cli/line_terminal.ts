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
import { Writable } from "node:stream";
import { oneLine } from "./control_filter.ts";
import { EventQueue } from "./event_queue.ts";
import { type Style, styleFor } from "./style.ts";
import { onLeaveSignals, type Terminal, type TerminalEvent } from "./terminal.ts";

const PROMPT = "> ";
/** Asks the terminal to mark what is pasted, so that its newlines do not send. */
const MARK_PASTES = ["\u001b[?2004h", "\u001b[?2004l"] as const;

interface Key {
  readonly name?: string;
}

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
  /** Lines of what is being pasted, or was pasted and not sent yet. */
  #pasted: string[] = [];
  #pasting = false;
  #closed = false;

  constructor(colour: boolean) {
    this.#colour = colour;
    this.style = styleFor(colour);
    this.#editor = createInterface({
      input: process.stdin,
      output: this.#editorOutput(),
      terminal: true,
      prompt: PROMPT,
      historySize: 500,
    });
    this.#editor.on("line", (text) => this.#line(text));
    this.#editor.on("SIGINT", () => this.#interrupt());
    this.#editor.on("close", () => this.events.push({ kind: "end" }));
    process.stdin.on("keypress", this.#keypress);
    this.#forget = onLeaveSignals(() => this.events.push({ kind: "leave" }));
    process.stdout.write(MARK_PASTES[0]);
    this.#drawPrompt();
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
    process.stdin.off("keypress", this.#keypress);
    this.#forget();
    process.stdout.write(MARK_PASTES[1]);
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

  #line(text: string): void {
    if (this.#pasting) {
      this.#pasted.push(text);
      return;
    }
    this.#promptShown = false;
    const whole = [...this.#pasted, text].join("\n");
    this.#pasted = [];
    if (whole.trim() === "") return this.#draw();
    this.events.push({ kind: "line", text: whole });
  }

  /** Ctrl-C first drops what is typed, then is an interrupt. */
  #interrupt(): void {
    if (this.#working === null && (this.#editor.line !== "" || this.#pasted.length > 0)) {
      this.#pasted = [];
      process.stdout.write("\n");
      Object.assign(this.#editor, { line: "", cursor: 0 });
      this.#drawPrompt();
      return;
    }
    this.events.push({ kind: "interrupt" });
  }

  readonly #keypress = (_text: string | undefined, key: Key | undefined): void => {
    if (key?.name === "paste-start") this.#pasting = true;
    if (key?.name === "paste-end") this.#pasting = false;
    if (this.#working !== null) {
      this.#erase();
      this.#draw();
    }
  };

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
