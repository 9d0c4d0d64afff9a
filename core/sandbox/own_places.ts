/**
 * The files of Malama itself, which no tool may reach whatever folder it was given: token, database, configuration.
 *
 * @module
 */
import { serviceKey } from "../tool/mod.ts";

/** Absolute paths of files and folders. */
export interface OwnPlaces {
  readonly closed: readonly string[];
  /** Folders inside of those that may be read all the same: what was exported for reading. */
  readonly readable: readonly string[];
}

/** Malama's own places. */
export const OWN_PLACES = serviceKey<OwnPlaces>("own places");
