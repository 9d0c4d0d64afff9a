/**
 * What is done now and then while Malama runs: deleted conversations go for good once their time is over, and with them
 * the stored files that nothing else holds (captured requests, pictures, long results). Other rooms may add their own.
 *
 * Invariants (tests/core/conversation/housekeeping_test.ts)
 * 1. A file that something in a conversation refers to is never removed, whatever was deleted, restored or killed.
 * 2. Once it ran to its end, nothing is left of a conversation whose time is over, also when an earlier run was cut short.
 * 3. It never fails: what went wrong is reported, and tried again the next time.
 *
 * @module
 */
import type { Storage } from "../storage/mod.ts";
import type { ConversationBook } from "./book.ts";

/** How often it runs, in milliseconds. A run that finds nothing among 100 000 files takes 30 ms. */
export const HOUSEKEEPING_EVERY_MS = 10 * 60 * 1000;

/** Calls `work` every so many milliseconds, until the function it gives is called. */
export type Every = (milliseconds: number, work: () => Promise<void>) => () => void;

export interface HousekeepingServices {
  readonly book: Pick<ConversationBook, "purge">;
  readonly storage: Pick<Storage, "blobs" | "health">;
  /** What other rooms do now and then. */
  readonly others?: readonly (() => Promise<void>)[];
  readonly every?: Every;
  readonly report: (level: "INFO" | "ERROR", subsystem: string, message: string) => void;
}

export class Housekeeping {
  readonly #services: HousekeepingServices;
  readonly #closing = new AbortController();
  readonly #callOff: () => void;
  #running: Promise<void> | null = null;

  /** Sets the interval; the first run is the caller's. */
  constructor(services: HousekeepingServices) {
    this.#services = services;
    this.#callOff = (services.every ?? everyUnref)(HOUSEKEEPING_EVERY_MS, () => this.run());
  }

  /** Runs once, or joins the run that is under way. */
  run(): Promise<void> {
    return this.#running ??= this.#run().finally(() => this.#running = null);
  }

  /** Calls the interval off and waits for a run under way, which ends early; what it leaves is done after the next start. */
  async close(): Promise<void> {
    this.#callOff();
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { book, storage, others = [], report } = this.#services;
    const { signal } = this.#closing;
    if (signal.aborted || storage.health.state !== "healthy") return;
    try {
      await book.purge();
      for (const work of others) await work();
      const removed = await storage.blobs.sweep({ signal });
      if (removed > 0) report("INFO", "housekeeping", `removed ${removed} stored files that nothing refers to`);
    } catch (error) {
      report("ERROR", "housekeeping", error instanceof Error ? error.message : String(error));
    }
  }
}

/** The real clock. It does not keep a process alive that has nothing else to do. */
function everyUnref(milliseconds: number, work: () => Promise<void>): () => void {
  const timer = setInterval(work, milliseconds);
  Deno.unrefTimer(timer);
  return () => clearInterval(timer);
}
