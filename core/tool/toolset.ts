/**
 * A toolset: a named capability an agent's table may declare. First-party toolsets are written exactly as a third party's.
 *
 * Invariants
 * 1. A name has no dot and is neither `core` nor `all` (K-023, K-163; tests/core/tool/toolset_test.ts).
 * 2. `tools` only makes closures: what is shared is opened on first use (K-164).
 *
 * @module
 */
import { z } from "zod";
import type { Tool } from "./tool.ts";

/** What a toolset is built with. */
export interface ToolsetContext<S = Readonly<Record<string, unknown>>> {
  /** Its own settings: the config section named after it, checked and with defaults. */
  readonly settings: S;
  /** The time now; tests replace it. */
  readonly now: () => Date;
}

type Shape = z.core.$ZodLooseShape;

/** The permissions a third party's toolset asks for; the person grants them in the config file. */
export interface ToolsetPermissions {
  readonly net?: readonly string[];
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly env?: readonly string[];
  readonly run?: readonly string[];
}

/** A toolset, ready to be registered. Made by `defineToolset()`. */
export interface Toolset {
  readonly name: string;
  /** One line, shown where capabilities are listed. */
  readonly description: string;
  /** Joins the prompt of every agent that holds it resident (K-189). */
  readonly guidance?: string;
  readonly permissions: ToolsetPermissions;
  /** Checks its config section; unknown keys are refused there. */
  readonly settings: z.ZodObject;
  tools(context: ToolsetContext): readonly Tool[];
}

/** What a toolset is written as. */
export interface ToolsetDefinition<S extends Shape> {
  readonly name: string;
  readonly description: string;
  readonly guidance?: string;
  readonly permissions?: ToolsetPermissions;
  readonly settings?: S;
  readonly tools: (context: ToolsetContext<z.output<z.ZodObject<S>>>) => readonly Tool[];
}

/** A toolset's definition breaks a rule; `message` says which. */
export class BadToolset extends Error {
  override readonly name = "BadToolset";
}

/** Makes a toolset from its definition. Throws `BadToolset` on a name that cannot be declared. */
export function defineToolset<S extends Shape = Record<never, never>>(definition: ToolsetDefinition<S>): Toolset {
  if (!/^[A-Za-z0-9_-]+$/.test(definition.name)) {
    throw new BadToolset(`"${definition.name}" cannot name a toolset: use letters, digits, "-" and "_"`);
  }
  if (definition.name === "core" || definition.name === "all") {
    throw new BadToolset(`"${definition.name}" is reserved: name the toolset otherwise`);
  }
  return {
    name: definition.name,
    description: definition.description,
    guidance: definition.guidance,
    permissions: definition.permissions ?? {},
    settings: z.strictObject(definition.settings ?? {}),
    tools: (context) => definition.tools(context as ToolsetContext<z.output<z.ZodObject<S>>>),
  };
}
