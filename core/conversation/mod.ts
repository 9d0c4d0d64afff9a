/** Conversations: the book of them, their titles, and what can be wrong with a request about one. */
export * from "./access.ts";
export * from "./book.ts";
export * from "./contract.ts";
export { COPIED_NOTICE } from "./copy.ts";
export * from "./errors.ts";
export * from "./export.ts";
export * from "./export_name.ts";
export * from "./housekeeping.ts";
export { IMPORTED_NOTICE, Importer, type ImportServices } from "./import.ts";
export { type SearchHit, type SearchOptions, searchText } from "./search.ts";
export * from "./title.ts";
export { Titler, type TitlerServices } from "./titler.ts";
export * from "./turn_tree.ts";
