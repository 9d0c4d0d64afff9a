/**
 * Shapes of values that several sections share.
 *
 * @module
 */
import { z } from "zod";

/** A string with something in it. */
export const text = (): z.ZodString => z.string().min(1, "must not be empty");

/** A list of names or hosts. */
export const names = (): z.ZodArray<z.ZodString> => z.array(text());

/** Seconds, more than none. */
export const seconds = (): z.ZodNumber => z.number().positive();

/** How many; at least one. */
export const count = (): z.ZodInt => z.int().min(1);

/** A TCP port; 0 takes any free one. */
export const port = (): z.ZodInt => z.int().min(0).max(65535);

/** How much a model thinks. The strings "true" and "false" mean the booleans (K section 1.2). */
export const thinking = () =>
  z.union([
    z.boolean(),
    z.enum(["low", "medium", "high", "true", "false"]).transform((level) =>
      level === "true" ? true : level === "false" ? false : level
    ),
  ], { error: 'must be true, false, "low", "medium" or "high"' });

/** What a child process is granted; everything not listed is refused. */
export const permissions = () =>
  z.strictObject({
    net: z.array(z.string()).optional(),
    read: z.array(z.string()).optional(),
    write: z.array(z.string()).optional(),
    env: z.array(z.string()).optional(),
    run: z.array(z.string()).optional(),
  });

/** An IANA time zone this machine knows. */
export const timezone = () => z.string().refine(isTimeZone, 'must be a time zone such as "Europe/Berlin" or "UTC"');

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** `HH:MM`. */
export const clockTime = () => z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as "07:30"');

/** A date and time, as a string or in TOML's own form; read as ISO text either way. */
export const moment = () =>
  z.union([z.string(), z.date().transform((date) => date.toISOString())]).refine(
    (value) => !Number.isNaN(Date.parse(value)),
    'must be a date and time such as "2027-01-31T09:00"',
  );
