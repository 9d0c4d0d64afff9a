/**
 * `[scheduling]` and its tasks (K section 11).
 *
 * @module
 */
import { z } from "zod";
import { key, section } from "../key_rule.ts";
import { clockTime, moment, text, timezone } from "./values.ts";

const schedule = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("once"), at: moment() }),
  z.strictObject({ type: z.literal("interval"), seconds: z.number().min(1) }),
  z.strictObject({ type: z.literal("daily"), at: clockTime() }),
  z.strictObject({
    type: z.literal("weekly"),
    day: z.enum(["mon", "tue", "wed", "thu", "fri", "sat", "sun"]),
    at: clockTime(),
  }),
  z.strictObject({
    type: z.literal("cron"),
    expr: z.string().regex(/^\s*\S+(\s+\S+){4}\s*$/, "must have five fields: minute, hour, day, month, weekday"),
  }),
], {
  error: (issue) =>
    issue.code === "invalid_union" ? 'must be "once", "interval", "daily", "weekly" or "cron"' : undefined,
});

/** `[scheduling]`. */
export const scheduling = section("scheduling", "Tasks in general", {
  max_task_conversations: key(z.int().min(0).default(3), "Conversations kept of each task; 0 keeps all", { hot: true }),
  timezone: key(timezone().optional(), "Whose clock tasks follow; the machine's when not written"),
}, { toolset: true });

/** `[scheduling.task.<name>]`. */
export const schedulingTask = section("scheduling.task.<name>", "Something to do at a time, with nobody present", {
  prompt: key(text(), "What to do"),
  schedule: key(
    schedule,
    'When: `{type = "once", at}`, `{type = "interval", seconds}`, `{type = "daily", at}`, `{type = "weekly", day, at}` or ' +
      '`{type = "cron", expr}`',
  ),
  enabled: key(z.boolean().default(true), "Whether it fires"),
  timezone: key(timezone().optional(), "Whose clock it follows"),
  missed: key(z.enum(["skip", "once"]).default("skip"), "What becomes of firings while Malama was not running"),
  grace: key(z.number().min(0).default(60), "Seconds a firing may be late and still count as on time"),
  overlap: key(z.enum(["skip", "queue"]).default("skip"), "What becomes of a firing while the last one still runs"),
  max_conversations: key(z.int().min(0).optional(), "Conversations kept of this task; 0 keeps all"),
  created_at: key(moment().optional(), "Written by Malama"),
  fired_at: key(moment().optional(), "Written by Malama when a one-time task has fired"),
});
