/**
 * What a run reads between its model calls: messages that came while it was running.
 *
 * @module
 */
import type { InboxData } from "../log/mod.ts";
import type { Statement } from "../storage/mod.ts";

/** Writes a delivered message, together with `also`, in one transaction; resolves when it is durable. */
export type WriteDelivery = (data: InboxData, also: readonly Statement[]) => Promise<void>;

/** The messages for one run. */
export interface Inbox {
  /** Whether something waits to be read. */
  readonly waits: boolean;
  /** Delivers all that waits, in order, each with `write`; gives how many were. Throws what `write` throws. */
  deliver(write: WriteDelivery): Promise<number>;
}
