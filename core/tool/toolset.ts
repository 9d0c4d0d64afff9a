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
import type { FindService } from "./services.ts";
import type { Tool } from "./tool.ts";

/** The agent that tools are being built for. */
export interface AgentFacts {
  readonly name: string;
  readonly isEntry: boolean;
  /** The agents it may hand work to, each with one line about it (K-208). */
  readonly delegates: readonly { readonly name: string; readonly about: string }[];
  /** The toolsets it does not hold from the start and may load, in the order they are offered. */
  readonly loadable: readonly LoadableToolset[];
  /** How deep sub-agents that are composed below it may still nest; 0 is not at all (K-212). */
  readonly depth: number;
}

/** A toolset an agent may load. */
export interface LoadableToolset {
  readonly name: string;
  readonly description: string;
}

/** What a toolset is built with. */
export interface ToolsetContext<S = Readonly<Record<string, unknown>>> {
  /** Its own settings: the config section named after it, checked and with defaults. */
  readonly settings: S;
  /** The time now; tests replace it. */
  readonly now: () => Date;
  readonly agent: AgentFacts;
  /** Looks up what the house provides. Throws `NoService`. */
  readonly service: FindService;
}

type Shape = z.core.$ZodLooseShape;

/** The kinds of permission, in the order of the config reference. */
export const PERMISSION_KINDS = ["net", "read", "write", "env", "run"] as const;

/** One of `PERMISSION_KINDS`. */
export type PermissionKind = typeof PERMISSION_KINDS[number];

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
  /** Joins the prompt of every agent that holds it resident, and the answer to a load (K-189). */
  readonly guidance?: string;
  /** About managing oneself rather than about work in the world (K-162, K-189). */
  readonly crossCutting: boolean;
  /** For the entry agent alone (K-175). */
  readonly entryOnly: boolean;
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
  /** Default `false`. */
  readonly crossCutting?: boolean;
  /** Default `false`. */
  readonly entryOnly?: boolean;
  readonly permissions?: ToolsetPermissions;
  readonly settings?: S;
  readonly tools: (context: ToolsetContext<z.output<z.ZodObject<S>>>) => readonly Tool[];
}

/** A toolset's definition breaks a rule; `message` says which. */
export class BadToolset extends Error {
  override readonly name = "BadToolset";
}

/** The name of the toolset that belongs to the loop itself: nobody declares it, and gates may name it (K-181). */
export const CORE = "core";

/** Makes a toolset from its definition. Throws `BadToolset` on a name that cannot be declared. */
export function defineToolset<S extends Shape = Record<never, never>>(definition: ToolsetDefinition<S>): Toolset {
  checkToolsetName(definition.name);
  return madeFrom(definition);
}

/** Throws `BadToolset` for a name that cannot be declared. */
export function checkToolsetName(name: string): void {
  if (name === CORE || name === "all") throw new BadToolset(`"${name}" is reserved: name the toolset otherwise`);
  if (/^[A-Za-z0-9_-]+$/.test(name)) return;
  throw new BadToolset(`"${name}" cannot name a toolset: use letters, digits, "-" and "_"`);
}

/** Makes the toolset that belongs to the loop itself. */
export function defineCoreToolset(definition: Omit<ToolsetDefinition<Record<never, never>>, "name">): Toolset {
  return madeFrom({ ...definition, name: CORE });
}

function madeFrom<S extends Shape>(definition: ToolsetDefinition<S>): Toolset {
  const { name, description, guidance, crossCutting = false, entryOnly = false, permissions = {} } = definition;
  return {
    name,
    description,
    guidance,
    crossCutting,
    entryOnly,
    permissions,
    settings: z.strictObject(definition.settings ?? {}),
    tools: (context) => definition.tools(context as ToolsetContext<z.output<z.ZodObject<S>>>),
  };
}
