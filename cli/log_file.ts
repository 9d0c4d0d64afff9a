/**
 * The log file of the process: one line per event, kept small by turning it over (K-310). What the person must know goes
 * to the terminal or the page as well; this is for finding out afterwards what happened.
 *
 * Invariants
 * 1. One event is one line, whatever its message holds (tests/cli/log_file_test.ts, "… one line").
 * 2. No file grows past `maxBytes`, and there are never more than `files` of them (same file, property).
 * 3. A log that cannot be written never stops the product; how many lines were lost is said when it can be written again
 *    (same file, "… lost").
 *
 * @module
 */
import { join } from "node:path";
import { withoutControls } from "./control_filter.ts";

export type LogLevel = "DEBUG" | "INFO" | "WARNING" | "ERROR";

/** Tells the log of one event. `subsystem` is a room's name, such as `turn` or `storage`. */
export type Report = (level: LogLevel, subsystem: string, message: string) => void;

export interface LogFileOptions {
  /** `<data>/logs`; made when the first line is written. */
  readonly folder: string;
  /** Events below it are not written. */
  readonly level: LogLevel;
  readonly now: () => Date;
  /** Size at which a file is turned over, in bytes. */
  readonly maxBytes?: number;
  /** How many files there may be, the one being written included. */
  readonly files?: number;
}

export interface LogFile {
  readonly report: Report;
  /** `<folder>/malama.log`; older ones end in `.1` to `.4`. */
  readonly path: string;
  close(): void;
}

const RANK: Readonly<Record<LogLevel, number>> = { DEBUG: 0, INFO: 1, WARNING: 2, ERROR: 3 };

/** A line longer than this is cut, in UTF-16 code units. */
const LONGEST_LINE = 4_000;

/** Opens the log. Nothing is made on disk before the first line. */
export function openLogFile(options: LogFileOptions): LogFile {
  const { folder, level, now, maxBytes = 2 * 1024 * 1024, files = 5 } = options;
  const path = join(folder, "malama.log");
  const encoder = new TextEncoder();
  let open: { readonly file: Deno.FsFile; bytes: number } | null = null;
  let lost = 0;
  let closed = false;

  function write(line: string): void {
    const bytes = encoder.encode(line + "\n");
    open ??= openForAppend(folder, path);
    if (open.bytes > 0 && open.bytes + bytes.length > maxBytes) {
      open.file.close();
      open = null;
      turnOver(path, files);
      open = openForAppend(folder, path);
    }
    for (let at = 0; at < bytes.length;) at += open.file.writeSync(bytes.subarray(at));
    open.bytes += bytes.length;
  }

  function report(at: LogLevel, subsystem: string, message: string): void {
    if (closed || RANK[at] < RANK[level]) return;
    try {
      if (lost > 0) {
        write(formatLine(now(), "WARNING", "log", `${lost} lines could not be written before this one`));
        lost = 0;
      }
      write(formatLine(now(), at, subsystem, message));
    } catch {
      lost++;
      open?.file.close();
      open = null;
    }
  }

  function close(): void {
    closed = true;
    open?.file.close();
    open = null;
  }

  return { report, path, close };
}

/** Time, level, subsystem and message, set apart by two spaces. */
function formatLine(at: Date, level: LogLevel, subsystem: string, message: string): string {
  const text = withoutControls(message.trim().replace(/\s*\n\s*/g, " ⏎ "));
  return `${at.toISOString()}  ${level.padEnd(7)}  ${subsystem.padEnd(8)}  ${text}`.slice(0, LONGEST_LINE);
}

function openForAppend(folder: string, path: string): { readonly file: Deno.FsFile; bytes: number } {
  Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = Deno.openSync(path, { append: true, create: true, mode: 0o600 });
  return { file, bytes: file.statSync().size };
}

/** `malama.log` becomes `.1`, `.1` becomes `.2` …; the oldest is overwritten. */
function turnOver(path: string, files: number): void {
  for (let n = files - 1; n >= 1; n--) {
    try {
      Deno.renameSync(n === 1 ? path : `${path}.${n - 1}`, `${path}.${n}`);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  if (files === 1) Deno.truncateSync(path);
}
