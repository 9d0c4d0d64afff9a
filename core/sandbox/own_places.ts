/**
 * The files of Malama itself, which no tool may reach whatever folder it was given: token, database, configuration.
 *
 * @module
 */
import { serviceKey } from "../tool/mod.ts";

/** Absolute paths of files and folders. */
export const OWN_PLACES = serviceKey<readonly string[]>("own places");
