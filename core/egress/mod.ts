/** The one door out: what tools fetch goes through it, and never into networks they may not reach. */
import { serviceKey } from "../tool/mod.ts";
import type { Egress } from "./egress.ts";

/** The door, for a toolset's `service(EGRESS)`. */
export const EGRESS = serviceKey<Egress>("egress");

export { AllowList, BadAllowEntry } from "./allow_list.ts";
export * from "./egress.ts";
export * from "./errors.ts";
export * from "./lookup.ts";
