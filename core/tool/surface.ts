/**
 * What a toolset is written with and nothing else of this room: the process of a third party's toolset is given these and
 * `z`, and loads no more of the house (tests/core/sandbox/runner_bundle_test.ts holds it to the library's face).
 *
 * @module
 */
export { BadTool, tool } from "./tool.ts";
export { BadToolset, defineToolset } from "./toolset.ts";
export { NoService } from "./services.ts";
