/** The folder of files that are made for the person: exports, recordings. `/downloads/<name>` gives them. */
import { serviceKey } from "../tool/mod.ts";
import type { Downloads } from "./downloads.ts";

/** The folder, for a toolset's `service(DOWNLOADS)`. */
export const DOWNLOADS = serviceKey<Downloads>("downloads");

export { createDownloads, type Download, type Downloads } from "./downloads.ts";
