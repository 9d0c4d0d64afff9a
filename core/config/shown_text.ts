/**
 * The file as it may be shown to a model: without the values of secret keys (K-318).
 *
 * Invariants (tests/core/config/shown_text_test.ts)
 * 1. No value under a secret key is shown, in whatever form the file writes it; every other byte is.
 * 2. A text that is not TOML is not shown at all: there they cannot be told.
 *
 * @module
 */
import { ConfigError } from "./config_error.ts";
import { SECTIONS } from "./sections/mod.ts";
import { type Assignment, outline, type Span, TomlSyntaxError } from "./toml.ts";

/** What stands in the place of a value. */
const HIDDEN = '"(hidden)"';

/** The names that lead to each secret key. `<name>` stands for any. */
const SECRET_PATHS: readonly (readonly string[])[] = SECTIONS.flatMap((section) =>
  Object.entries(section.keys).filter(([, rule]) => rule.secret).map(([name]) => [...section.name.split("."), name])
);

/** The text with every secret value replaced. Throws `ConfigError`. */
export function shownText(file: string, text: string): string {
  const spans = assignmentsOf(file, text).flatMap(secretSpans).sort((a, b) => b.start - a.start);
  return spans.reduce((shown, { start, end }) => shown.slice(0, start) + HIDDEN + shown.slice(end), text);
}

function assignmentsOf(file: string, text: string): readonly Assignment[] {
  try {
    return outline(text).blocks.flatMap(({ assignments }) => assignments);
  } catch (error) {
    if (!(error instanceof TomlSyntaxError)) throw error;
    const problem = { message: `This is not TOML: ${error.message}`, line: error.line };
    throw new ConfigError(file, [problem], { cause: error });
  }
}

/** The values to hide: those under a secret key, and lists that may hold one. */
function secretSpans({ path, value, inline }: Assignment): readonly Span[] {
  const names = path.filter((part) => typeof part === "string");
  const isNear = SECRET_PATHS.some((secret) =>
    secret.slice(0, names.length).every((part, at) => part === "<name>" || part === names[at])
  );
  if (!isNear) return [];
  return inline === null ? [value] : inline.items.flatMap(secretSpans);
}
