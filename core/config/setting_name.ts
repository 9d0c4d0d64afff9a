/**
 * The names of settings outside the file: `section.key`, with quotes around a segment that is no bare TOML key
 * (`prices."openai:gpt-4.1"`).
 *
 * Invariants
 * 1. `splitSettingName(joinSettingName(path))` is `path`, whatever the segments hold (tests/core/config/setting_name_test.ts).
 *
 * @module
 */

const BARE = /^[A-Za-z0-9_-]+$/;

/** A key as TOML writes it: bare where it can be. */
export function tomlKey(segment: string): string {
  return BARE.test(segment) ? segment : basicString(segment);
}

/** A TOML basic string. Lone surrogates cannot be written and are the caller's to refuse. */
export function basicString(text: string): string {
  // JSON's escapes are all TOML's too; DEL is the one control character JSON leaves alone.
  return JSON.stringify(text).replaceAll("\x7f", "\\u007F");
}

/** `["agents", "a.b", "model"]` becomes `agents."a.b".model`. */
export function joinSettingName(path: readonly string[]): string {
  return path.map(tomlKey).join(".");
}

/** The inverse of `joinSettingName`; `null` when the text is no such name. */
export function splitSettingName(name: string): readonly string[] | null {
  const path: string[] = [];
  const segment = /([^".]+|"(?:[^"\\]|\\.)*")(\.|$)/y;
  while (segment.lastIndex < name.length) {
    const start = segment.lastIndex;
    const match = segment.exec(name);
    if (!match) return null;
    const text = unquote(match[1]!);
    if (text === null) return null;
    path.push(text);
    const ends = match[2] === "";
    if (ends) return path;
    if (segment.lastIndex === name.length || segment.lastIndex === start) return null;
  }
  return null;
}

function unquote(segment: string): string | null {
  if (!segment.startsWith('"')) return segment;
  try {
    const text: unknown = JSON.parse(segment);
    return typeof text === "string" ? text : null;
  } catch {
    return null;
  }
}
