/**
 * What ends a command: the user's own mistake, told in one line without a stack (K-019).
 *
 * Invariant: every error of a room that a person can put right by another command line, another setting or another
 * folder has its line in `STATUS`; whatever is not named there is a fault of ours and shows its stack
 * (tests/cli/mistake_test.ts).
 *
 * @module
 */

/** The command cannot be done as it was asked. `message` is the one line printed; the process exits with `status`. */
export class Mistake extends Error {
  override readonly name = "Mistake";
  constructor(message: string, readonly status: 1 | 2 = 2, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Exit status by the name of an error: 2 for what the user can put right, 1 for a model that cannot start. */
const STATUS: Readonly<Record<string, 1 | 2>> = {
  ConfigError: 2,
  ConfigMissing: 2,
  ConfigChanged: 2,
  SettingLocked: 2,
  BadDeclaration: 2,
  BadToolset: 2,
  StorageLocked: 2,
  StorageDamaged: 2,
  StorageFailed: 2,
  StorageFull: 2,
  StorageTooNew: 2,
  ReadOnlyStorage: 2,
  PortTaken: 2,
  CannotListen: 2,
  OpenToAll: 2,
  BadTokenFile: 2,
  WireError: 2,
  NotConnected: 2,
  BadModelString: 1,
  BadScript: 1,
  Unreachable: 1,
  RateLimited: 1,
  Rejected: 1,
  Stalled: 1,
  Incomplete: 1,
};

/** The end of a command that failed. */
export interface Ending {
  readonly status: number;
  /** What to print on stderr, without a closing newline. */
  readonly text: string;
}

/** How a command that threw `error` ends: one line for a known mistake, the stack for a fault of ours (status 70). */
export function endingOf(error: unknown): Ending {
  if (error instanceof Mistake) return { status: error.status, text: oneLine(error.message) };
  if (error instanceof Error) {
    const status = Object.hasOwn(STATUS, error.name) ? STATUS[error.name] : undefined;
    if (status !== undefined) return { status, text: oneLine(error.message) };
    return { status: 70, text: `This is a fault in Malama, please report it:\n${error.stack ?? error.message}` };
  }
  return { status: 70, text: `This is a fault in Malama, please report it: ${String(error)}` };
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, "; ");
}
