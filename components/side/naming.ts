/**
 * Words for a title that the model makes, in the head and in the side.
 *
 * @module
 */

/** What asks for it. */
export const NAME_IT = "Name it from its content";

/** What stands in place of the title until it is there. */
export const NAMING = "Naming it";
