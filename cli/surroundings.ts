/**
 * What a command needs of the process it runs in; tests hand in their own.
 *
 * @module
 */
export interface Surroundings {
  /** Reads an environment variable. */
  readonly env: (name: string) => string | undefined;
  /** Where relative paths start. */
  readonly cwd: string;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly now: () => Date;
  /** Of `deno.json`. */
  readonly version: string;
}

/** Those of this process. */
export function processSurroundings(version: string): Surroundings {
  return {
    env: (name) => Deno.env.get(name),
    cwd: Deno.cwd(),
    stdout: (text) => writeAll(Deno.stdout, text),
    stderr: (text) => writeAll(Deno.stderr, text),
    now: () => new Date(),
    version,
  };
}

/** Writes all of it; a reader that has gone, as `head` does, is no fault. */
function writeAll(file: { writeSync(bytes: Uint8Array): number }, text: string): void {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
