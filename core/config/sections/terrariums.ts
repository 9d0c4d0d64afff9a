/**
 * `[terrariums.<name>]`: recipes, agents joined by channels (T section 24).
 *
 * @module
 */
import { z } from "zod";
import { key, section, type SectionRule } from "../key_rule.ts";
import { agentSections } from "./agents.ts";
import { names, text } from "./values.ts";

const channel = z.union([
  z.string(),
  z.strictObject({ kind: z.enum(["queue", "broadcast"]).optional(), description: z.string().optional() }),
], { error: 'must be a description, or a table of kind ("queue" or "broadcast") and description' });

const agent = key(text().optional(), "A table of `[agents.*]`; every key of an agent may be overridden here");

/** Every table under `[terrariums.<name>]`. */
export const terrariums: readonly SectionRule[] = [
  section("terrariums.<name>", "A recipe: agents joined by channels", {
    description: key(z.string().optional(), "What it is for, in a line"),
  }),
  ...agentSections("terrariums.<name>.root", "The creature a person talks to", { agent }, {
    optional: true,
    like: "agents.<name>",
  }),
  ...agentSections("terrariums.<name>.creatures", "One creature", {
    name: key(text(), "Its name in the graph; only once"),
    agent,
    listen: key(names().optional(), "Channels it hears"),
    send: key(names().optional(), "Channels it may send to"),
  }, { list: true, optional: true, like: "agents.<name>" }),
  section("terrariums.<name>.channels", "Channels, by name", {}, {
    each: key(channel, 'A description, or `{ kind = "queue" or "broadcast", description }`'),
  }),
];
