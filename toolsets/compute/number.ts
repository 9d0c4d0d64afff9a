/**
 * The calculator's numbers: exact fractions of whole numbers for as long as the sum allows, floating point after that.
 *
 * Invariants
 * 1. `+ - * / %`, whole powers and exact roots of exact numbers are exact: 0.1 + 0.2 is 0.3
 *    (tests/toolsets/calculator_test.ts).
 * 2. No number grows past `MAX_BITS`; a sum that would is refused before it is worked out (same file).
 *
 * @module
 */

/** A number; `exact` is `top / bottom` in lowest terms with a positive bottom. */
export type Num =
  | { readonly kind: "exact"; readonly top: bigint; readonly bottom: bigint }
  | { readonly kind: "float"; readonly value: number };

/** The longest whole number worked with, in bits: about 10,000 digits. */
export const MAX_BITS = 33_220;

/** The longest denominator, in bits: about 1,200 digits. Fractions cost far more to work with than whole numbers do. */
export const MAX_BOTTOM_BITS = 4_000;

/** A sum that has no answer, or none of a reasonable size; the message is a whole sentence without its end. */
export class Unanswerable extends Error {
  override readonly name = "Unanswerable";
}

/** An exact number in lowest terms. */
export function exact(top: bigint, bottom = 1n): Num {
  if (bottom === 0n) throw new Unanswerable("Nothing can be divided by zero");
  const sign = bottom < 0n ? -1n : 1n;
  const divisor = bottom === 1n ? 1n : gcd(top, bottom) * sign;
  const made = { kind: "exact", top: top / divisor, bottom: bottom / divisor } as const;
  if (bits(made.top) > MAX_BITS) throw tooLarge();
  if (bits(made.bottom) > MAX_BOTTOM_BITS) {
    throw new Unanswerable("The fraction is too long: denominators here have up to 1,200 digits");
  }
  return made;
}

/** A floating point number; one that is no number at all is refused. */
export function float(value: number): Num {
  if (Number.isNaN(value)) throw new Unanswerable("That is not defined for real numbers");
  if (!Number.isFinite(value)) throw tooLarge();
  return { kind: "float", value };
}

/** As near as floating point comes. */
export function toFloat(num: Num): number {
  if (num.kind === "float") return num.value;
  const { top, bottom } = num;
  const shift = Math.max(0, Math.max(bits(top), bits(bottom)) - 1000);
  if (shift === 0) return Number(top) / Number(bottom);
  // Both parts are too long for a float: keep the leading bits of their quotient.
  const spare = 64 + bits(bottom) - bits(top);
  const quotient = spare > 0 ? (top << BigInt(spare)) / bottom : top / (bottom << BigInt(-spare));
  return Number(quotient) * 2 ** -spare;
}

/** The natural logarithm of a number above zero, however long. */
export function naturalLog(num: Num): number {
  if (num.kind === "float") return Math.log(num.value);
  return Number.isFinite(toFloat(num)) && toFloat(num) > 0
    ? Math.log(toFloat(num))
    : wholeLog(num.top) - wholeLog(num.bottom);
}

function wholeLog(value: bigint): number {
  const shift = Math.max(0, bits(value) - 64);
  return Math.log(Number(value >> BigInt(shift))) + shift * Math.LN2;
}

/** `left + right`. */
export function add(left: Num, right: Num): Num {
  if (left.kind === "float" || right.kind === "float") return float(toFloat(left) + toFloat(right));
  return exact(left.top * right.bottom + right.top * left.bottom, left.bottom * right.bottom);
}

/** The number with its sign turned. */
export function negate(num: Num): Num {
  return num.kind === "float" ? float(-num.value) : { ...num, top: -num.top };
}

/** `left * right`. */
export function multiply(left: Num, right: Num): Num {
  if (left.kind === "float" || right.kind === "float") return float(toFloat(left) * toFloat(right));
  if (bits(left.top) + bits(right.top) > MAX_BITS + 1) throw tooLarge();
  return exact(left.top * right.top, left.bottom * right.bottom);
}

/** `left / right`. */
export function divide(left: Num, right: Num): Num {
  if (isZero(right)) throw new Unanswerable("Nothing can be divided by zero");
  if (left.kind === "float" || right.kind === "float") return float(toFloat(left) / toFloat(right));
  return exact(left.top * right.bottom, left.bottom * right.top);
}

/** What is left of `left` after whole `right`s are taken; it has the sign of `left`. */
export function remainder(left: Num, right: Num): Num {
  if (isZero(right)) throw new Unanswerable("There is no remainder of a division by zero");
  if (left.kind === "float" || right.kind === "float") return float(toFloat(left) % toFloat(right));
  return exact((left.top * right.bottom) % (right.top * left.bottom), left.bottom * right.bottom);
}

/** `base ^ exponent`: exact for a whole exponent, and for a root that comes out even. */
export function power(base: Num, exponent: Num): Num {
  if (base.kind === "exact" && exponent.kind === "exact") {
    if (exponent.bottom === 1n) return wholePower(base, exponent.top);
    const rooted = exponent.bottom <= 64n ? exactRoot(base, Number(exponent.bottom)) : undefined;
    if (rooted?.kind === "exact") return wholePower(rooted, exponent.top);
  }
  return float(toFloat(base) ** toFloat(exponent));
}

function wholePower(base: Extract<Num, { kind: "exact" }>, exponent: bigint): Num {
  if (base.top === 0n && exponent < 0n) throw new Unanswerable("Zero has no negative power");
  const size = exponent < 0n ? -exponent : exponent;
  const isUnit = base.bottom === 1n && (base.top === 0n || base.top === 1n || base.top === -1n);
  if (isUnit) return base.top === -1n ? exact(size % 2n === 0n ? 1n : -1n) : exponent === 0n ? exact(1n) : base;
  const longest = Math.max(bits(base.top), bits(base.bottom));
  if (size > BigInt(MAX_BITS) || Number(size) * (longest - 1) > MAX_BITS) throw tooLarge();
  return exponent < 0n ? exact(base.bottom ** size, base.top ** size) : exact(base.top ** size, base.bottom ** size);
}

/** The root of a number, exact where it comes out even; `undefined` where it does not. */
export function exactRoot(num: Num, degree: number): Num | undefined {
  if (num.kind === "float" || (num.top < 0n && degree % 2 === 0)) return undefined;
  const top = wholeRoot(num.top < 0n ? -num.top : num.top, degree);
  const bottom = wholeRoot(num.bottom, degree);
  if (top === undefined || bottom === undefined) return undefined;
  return exact(num.top < 0n ? -top : top, bottom);
}

/** The whole root of a whole number, when it has one: Newton's way, from above. */
function wholeRoot(value: bigint, degree: number): bigint | undefined {
  if (value < 2n) return value;
  const n = BigInt(degree);
  let guess = 1n << BigInt(Math.ceil(bits(value) / degree));
  for (;;) {
    const next = ((n - 1n) * guess + value / guess ** (n - 1n)) / n;
    if (next >= guess) break;
    guess = next;
  }
  return guess ** n === value ? guess : undefined;
}

/** -1, 0 or 1, as `left` is less than, equal to or more than `right`. */
export function compare(left: Num, right: Num): number {
  if (left.kind === "float" || right.kind === "float") return Math.sign(toFloat(left) - toFloat(right));
  const difference = left.top * right.bottom - right.top * left.bottom;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Whether the number is zero. */
export function isZero(num: Num): boolean {
  return num.kind === "float" ? num.value === 0 : num.top === 0n;
}

/** The number as a whole one; throws `Unanswerable`, naming what wanted it, when it is none. */
export function toWhole(num: Num, wantedBy: string): bigint {
  if (num.kind === "exact" && num.bottom === 1n) return num.top;
  if (num.kind === "float" && Number.isSafeInteger(num.value)) return BigInt(num.value);
  throw new Unanswerable(`${wantedBy} needs whole numbers`);
}

/** The greatest whole number that divides both; positive. */
export function gcd(left: bigint, right: bigint): bigint {
  let [a, b] = [left < 0n ? -left : left, right < 0n ? -right : right];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}

/** Length in bits, the sign aside. */
export function bits(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4;
}

function tooLarge(): Unanswerable {
  return new Unanswerable("The result is too large: numbers here have up to 10,000 digits");
}
