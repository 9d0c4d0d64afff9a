import { createDefine } from "fresh";

/** Which middlewares a request came through. */
export interface Trace {
  through?: string[];
}

/** The types of the site's routes. */
export const define = createDefine<Trace>();
