/**
 * The palette. Loaded when it is opened first, or when the page has nothing else to do.
 *
 * @module
 */
export { Finder, type FinderProps } from "./Finder.tsx";
