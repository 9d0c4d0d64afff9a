/**
 * `[[agents.<name>.triggers]]`: what wakes an agent besides a message (T section 8).
 *
 * @module
 */
import { z } from "zod";
import { key, section, type SectionFault, type SectionRule } from "../key_rule.ts";
import { clockTime, text, timezone } from "./values.ts";

const triggerKeys = {
  type: key(
    z.enum(["timer", "idle", "context", "channel", "schedule", "http", "monitor"]),
    "What it waits for",
  ),
  name: key(text().optional(), "Its id; made from the type when not written"),
  prompt: key(z.string().optional(), "What the agent is told when it fires"),
  interval: key(z.number().min(1).optional(), "timer, monitor: seconds between two looks (60 and 10)"),
  immediate: key(z.boolean().optional(), "timer: fire at once, then after each interval (false)"),
  idle_seconds: key(z.number().positive().optional(), "idle: seconds without an event (300)"),
  repeat: key(z.boolean().optional(), "idle: fire again while it lasts (false)"),
  debounce_ms: key(z.int().min(0).optional(), "context: milliseconds to wait for more changes (100)"),
  channel: key(text().optional(), "channel: the channel it listens to"),
  filter_sender: key(text().optional(), "channel: only messages from this sender"),
  ignore_sender: key(text().optional(), "channel: no messages from this sender"),
  every_minutes: key(z.int().min(1).max(1440).optional(), "schedule: every so many minutes from midnight"),
  daily_at: key(clockTime().optional(), "schedule: once a day"),
  hourly_at: key(z.int().min(0).max(59).optional(), "schedule: at this minute of every hour"),
  timezone: key(timezone().optional(), "schedule: whose clock; `[scheduling].timezone` when not written"),
  path: key(
    z.string().regex(/^[A-Za-z0-9_-]+$/, "must be letters, digits, - and _").optional(),
    "http: `/hooks/<path>`",
  ),
  secret_env: key(text().optional(), "http: the environment variable that holds its secret"),
  methods: key(z.array(z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"])).optional(), "http: methods it takes (POST)"),
  max_body_bytes: key(z.int().min(1).optional(), "http: largest body (65536)"),
  kind: key(z.enum(["file", "process", "url", "command"]).optional(), "monitor: what is watched"),
  target: key(text().optional(), "monitor: which file, process, address or command"),
  condition: key(
    z.string().regex(
      /^(changed|appears|disappears|matches:.+)$/s,
      'must be "changed", "appears", "disappears" or "matches:<regex>"',
    )
      .optional(),
    'monitor: when it fires ("changed")',
  ),
};

type TriggerKey = keyof typeof triggerKeys;

/** The keys each kind takes besides `type`, `name` and `prompt`. */
const KEYS_OF_KIND: Readonly<Record<string, readonly TriggerKey[]>> = {
  timer: ["interval", "immediate"],
  idle: ["idle_seconds", "repeat"],
  context: ["debounce_ms"],
  channel: ["channel", "filter_sender", "ignore_sender"],
  schedule: ["every_minutes", "daily_at", "hourly_at", "timezone"],
  http: ["path", "secret_env", "methods", "max_body_bytes"],
  monitor: ["interval", "kind", "target", "condition"],
};

/** The section of an agent's triggers under the given name. */
export function triggersSection(name: string): SectionRule<typeof triggerKeys> {
  return section(name, "What wakes the agent besides a message; the keys depend on `type`", triggerKeys, {
    list: true,
    optional: true,
    check: triggerFaults,
  });
}

function triggerFaults(values: Readonly<Record<string, unknown>>): readonly SectionFault[] {
  const type = values.type;
  if (typeof type !== "string") return [];
  const allowed: readonly string[] = ["type", "name", "prompt", ...(KEYS_OF_KIND[type] ?? [])];
  const strays = Object.keys(values).filter((name) => !allowed.includes(name)).map((name) => ({
    key: name,
    message: `does not go with type "${type}", which takes ${allowed.join(", ")}`,
  }));
  return [...strays, ...missing(type, values)];
}

function missing(type: string, values: Readonly<Record<string, unknown>>): readonly SectionFault[] {
  const lacks = (...wanted: string[]) =>
    wanted.filter((name) => values[name] === undefined).map((name) => ({
      key: name,
      message: `is needed with type "${type}"`,
    }));
  if (type === "channel") return lacks("channel");
  if (type === "monitor") return lacks("kind", "target");
  if (type !== "schedule") return [];
  const times = ["every_minutes", "daily_at", "hourly_at"].filter((name) => values[name] !== undefined);
  return times.length === 1 ? [] : [{ message: "needs exactly one of every_minutes, daily_at and hourly_at" }];
}
