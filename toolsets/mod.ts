/** The toolsets that come with Malama, in the order they are offered. */
import type { Toolset } from "malama";
import { compute } from "./compute.ts";
import { documents } from "./documents.ts";
import { memory } from "./memory.ts";
import { time } from "./time.ts";
import { web } from "./web.ts";

/** Every built-in toolset. */
export const builtInToolsets: readonly Toolset[] = [time, compute, web, memory, documents];
