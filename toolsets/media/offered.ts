/**
 * Whether tools for pictures and sound are offered, and what a refusal is told as.
 *
 * @module
 */
import { type FindService, NoService } from "malama";
import { FileRefused } from "../../core/files/mod.ts";
import { MEDIA, type MediaKind, MediaRefused } from "../../core/media/mod.ts";

/** Whether a model of that kind is named: a tool that cannot work is not offered (K-171). */
export function isOffered(service: FindService, kind: MediaKind): boolean {
  try {
    return service(MEDIA).has(kind);
  } catch (error) {
    if (error instanceof NoService) return false;
    throw error;
  }
}

/** Does the work; what kept it from being done is the answer (K-328). */
export async function attempt<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MediaRefused || error instanceof FileRefused) return `${error.message}.`;
    throw error;
  }
}
