/**
 * Finds the sum in a sentence: "what is 17% of 2,340?" holds `2340 * 17 / 100`.
 *
 * @module
 */

/** Spoken arithmetic, written as it is calculated. Applied in order. */
const SPOKEN: readonly (readonly [RegExp, string])[] = [
  [/(\d),(?=\d{3}(?:\D|$))/g, "$1"],
  [/[×✕]/g, "*"],
  [/÷/g, "/"],
  [/[−–]/g, "-"],
  [/\bsquare root of\s+([\d.]+)/gi, "sqrt($1)"],
  [/([\d.]+)\s*(?:%|percent\b|per cent\b)\s*of\s+([\d.]+)/gi, "$2 * $1 / 100"],
  [/\badd\s+(\(-[\d.]+\)|[\d.]+)\s+to\s+(\(-[\d.]+\)|[\d.]+)/gi, "$2 + $1"],
  [/\b(?:subtract|take)\s+(\(-[\d.]+\)|[\d.]+)\s+(?:away\s+)?from\s+(\(-[\d.]+\)|[\d.]+)/gi, "$2 - $1"],
  [/\bmultiply\s+(\(-[\d.]+\)|[\d.]+)\s+(?:by|with)\s+(\(-[\d.]+\)|[\d.]+)/gi, "$1 * $2"],
  [/\bdivide\s+(\(-[\d.]+\)|[\d.]+)\s+by\s+(\(-[\d.]+\)|[\d.]+)/gi, "$1 / $2"],
  [/([\d.]+)\s*factorial\b/gi, "$1!"],
  [/\bplus\b/gi, "+"],
  [/\bminus\b/gi, "-"],
  [/\btimes\b|\bmultiplied by\b/gi, "*"],
  [/\bdivided by\b|\bover\b/gi, "/"],
  [/\bto the power of\b/gi, "^"],
  [/\bsquared\b/gi, "^2"],
  [/\bcubed\b/gi, "^3"],
  [/(\d)\s*x\s*(?=\d)/gi, "$1 * "],
];

/** Dates, times and addresses have the signs of a sum and are none. */
const NOT_SUMS = /\b\d{4}-\d{2}-\d{2}(?:T[\d:.+-]*)?|\b\d{1,2}:\d{2}(?::\d{2})?\b|https?:\/\/\S+|\b[A-Z]\w+\/[A-Z]\w+/g;

const FUNCTION = "(?:sqrt|cbrt|sin|cos|tan|log2|log|ln|exp|abs|round|floor|ceil|min|max|gcd|lcm)\\s*(?=\\()";
const SUM = new RegExp(`(?:${FUNCTION}|\\b(?:pi|tau)\\b|[\\d.]+(?:e[+-]?\\d+)?|\\*\\*|[-+*/%^()!,]|\\s)+`, "gi");

/**
 * The longest sum in a text, or `undefined`. `it` stands in for "that", "it" and "the result", so that one sum can go on from
 * the one before.
 */
export function findExpression(text: string, it?: string): string | undefined {
  let spoken = text.replace(NOT_SUMS, " ; ");
  if (it !== undefined) spoken = spoken.replace(/\bthe result\b|\bthat\b|\bit\b/gi, it);
  for (const [pattern, written] of SPOKEN) spoken = spoken.replace(pattern, written);
  const sums = (spoken.match(SUM) ?? []).map(trimSum).filter(isSum);
  return sums.toSorted((a, b) => b.length - a.length)[0];
}

/** Without the commas, dots and unmatched brackets of the sentence around it. */
function trimSum(text: string): string {
  let sum = text.replace(/^[\s,.*/%^)!]+/, "").replace(/[\s,.]+$/, "").replace(/[-+*/%^(]+$/, "").trim();
  while (count(sum, "(") > count(sum, ")") && sum.startsWith("(")) sum = sum.slice(1).trim();
  while (count(sum, ")") > count(sum, "(") && sum.endsWith(")")) sum = sum.slice(0, -1).trim();
  return sum.replace(/\s+/g, " ");
}

function isSum(text: string): boolean {
  const hasValue = /\d|\bpi\b|\btau\b/i.test(text);
  const hasWork = /[\d)!]\s*(?:\*\*|[-+*/%^])\s*[-\d(a-z]|\d!|[a-z]\(/i.test(text) || /\bpi\b\s*[-+*/^]/i.test(text);
  return hasValue && hasWork && count(text, "(") === count(text, ")");
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}
