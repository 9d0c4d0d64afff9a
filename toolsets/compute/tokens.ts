/**
 * An expression, cut into numbers, names and signs.
 *
 * @module
 */
import { exact, type Num } from "./number.ts";

/** One piece; `position` counts characters from 1. */
export type Token =
  | { readonly kind: "number"; readonly text: string; readonly position: number; readonly value: Num }
  | { readonly kind: "name"; readonly text: string; readonly position: number }
  | { readonly kind: "sign"; readonly text: string; readonly position: number };

/** A piece that belongs to no expression. */
export class WrongToken extends Error {
  override readonly name = "WrongToken";
  constructor(message: string, readonly position: number) {
    super(message);
  }
}

/** Signs that are written in more than one way. */
const SIGNS: Readonly<Record<string, string>> = {
  "**": "^",
  "×": "*",
  "·": "*",
  "÷": "/",
  "−": "-",
  "[": "(",
  "]": ")",
};

const PIECE =
  /\s+|(?<number>(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[\p{L}_π][\p{L}\d_]*)|(?<sign>\*\*|[-+*/%^!(),[\]×·÷−])/uy;

/** Cuts an expression. Throws `WrongToken` at a character that means nothing here. */
export function tokenize(expression: string): readonly Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(PIECE.source, "uy");
  while (pattern.lastIndex < expression.length) {
    const position = pattern.lastIndex + 1;
    const found = pattern.exec(expression);
    if (found === null) throw wrongCharacter(expression, position);
    const { number, name, sign } = found.groups ?? {};
    if (number !== undefined) {
      tokens.push({ kind: "number", text: number, position, value: readNumber(number, position) });
    } else if (name !== undefined) tokens.push({ kind: "name", text: name === "π" ? "pi" : name, position });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: SIGNS[sign] ?? sign, position });
  }
  return tokens;
}

function wrongCharacter(expression: string, position: number): WrongToken {
  const char = String.fromCodePoint(expression.codePointAt(position - 1) ?? 0);
  const hint = char === "=" ? ": give one side only" : char === "$" || char === "€" ? ": leave the currency out" : "";
  return new WrongToken(`"${char}" means nothing here${hint}`, position);
}

/** A written number is exact, whatever its exponent, up to a thousand places. */
function readNumber(text: string, position: number): Num {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().replaceAll("_", "").split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const places = Number(exponent) - fraction.length;
  if (Math.abs(places) > 1_000) throw new WrongToken(`"${text}" has too many places: up to 1000 are read`, position);
  const digits = BigInt(`${whole}${fraction}` || "0");
  return places >= 0 ? exact(digits * 10n ** BigInt(places)) : exact(digits, 10n ** BigInt(-places));
}
