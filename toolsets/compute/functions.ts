/**
 * The functions and constants an expression may name.
 *
 * @module
 */
import {
  compare,
  divide,
  exact,
  exactRoot,
  float,
  gcd,
  isZero,
  multiply,
  naturalLog,
  negate,
  type Num,
  power,
  remainder,
  toFloat,
  toWhole,
  Unanswerable,
} from "./number.ts";

/** One function: how many arguments it takes, and what it does with them. */
export interface CalculatorFunction {
  readonly least: number;
  readonly most: number;
  readonly run: (...values: readonly [Num, ...Num[]]) => Num;
}

/** The constants, by name. */
export const CONSTANTS: Readonly<Record<string, Num>> = {
  pi: { kind: "float", value: Math.PI },
  tau: { kind: "float", value: 2 * Math.PI },
  e: { kind: "float", value: Math.E },
};

const TEN = exact(10n);
const ONE = exact(1n);

/** The functions, by name. Angles are in radians. */
export const FUNCTIONS: Readonly<Record<string, CalculatorFunction>> = {
  abs: one((x) => compare(x, exact(0n)) < 0 ? negate(x) : x),
  sign: one((x) => exact(BigInt(compare(x, exact(0n))))),
  sqrt: one((x) => exactRoot(x, 2) ?? float(Math.sqrt(toFloat(x)))),
  cbrt: one((x) => exactRoot(x, 3) ?? float(Math.cbrt(toFloat(x)))),
  exp: one((x) => isZero(x) ? ONE : float(Math.exp(toFloat(x)))),
  ln: one((x) => compare(x, ONE) === 0 ? exact(0n) : float(logarithm(x))),
  log: { least: 1, most: 2, run: (x, base) => base === undefined ? log10(x) : logTo(x, base) },
  log10: one(log10),
  log2: one((x) => logTo(x, exact(2n))),
  sin: one((x) => trigonometric(x, Math.sin)),
  cos: one((x) => trigonometric(x, Math.cos)),
  tan: one((x) => {
    if (Math.abs(Math.cos(toFloat(x))) < 1e-15) throw new Unanswerable("tan has no value there");
    return trigonometric(x, Math.tan);
  }),
  asin: one((x) => trigonometric(x, Math.asin)),
  acos: one((x) => trigonometric(x, Math.acos)),
  atan: one((x) => trigonometric(x, Math.atan)),
  atan2: { least: 2, most: 2, run: (y, x) => float(Math.atan2(toFloat(y), toFloat(x ?? ONE))) },
  rad: one((degrees) => isZero(degrees) ? degrees : float(toFloat(degrees) * Math.PI / 180)),
  deg: one((radians) => isZero(radians) ? radians : float(toFloat(radians) * 180 / Math.PI)),
  floor: one((x) => toInteger(x, "floor")),
  ceil: one((x) => toInteger(x, "ceil")),
  trunc: one((x) => toInteger(x, "trunc")),
  round: { least: 1, most: 2, run: (x, places) => roundTo(x, places) },
  min: { least: 1, most: 100, run: (...values) => values.reduce((a, b) => compare(b, a) < 0 ? b : a) },
  max: { least: 1, most: 100, run: (...values) => values.reduce((a, b) => compare(b, a) > 0 ? b : a) },
  mod: { least: 2, most: 2, run: (x, y) => modulo(x, y ?? ONE) },
  gcd: { least: 2, most: 100, run: (...values) => exact(values.map(whole("gcd")).reduce(commonDivisor)) },
  lcm: { least: 2, most: 100, run: (...values) => exact(values.map(whole("lcm")).reduce(commonMultiple)) },
};

/** The product of all whole numbers up to one. */
export function factorial(num: Num): Num {
  const count = toWhole(num, "A factorial");
  if (count < 0n) throw new Unanswerable("A negative number has no factorial");
  if (count > 3_000n) throw new Unanswerable("That factorial is too large: those of numbers up to 3000 are worked out");
  let product = 1n;
  for (let factor = 2n; factor <= count; factor++) product *= factor;
  return exact(product);
}

function one(run: (value: Num) => Num): CalculatorFunction {
  return { least: 1, most: 1, run };
}

/** Sines and their kin: what is zero but for floating point's last bit is zero. */
function trigonometric(x: Num, work: (value: number) => number): Num {
  const value = work(toFloat(x));
  if (isZero(x) && value === 0) return exact(0n);
  return float(Math.abs(value) < 1e-15 ? 0 : value);
}

function logarithm(x: Num): number {
  if (compare(x, exact(0n)) <= 0) throw new Unanswerable("Only numbers above zero have a logarithm");
  return naturalLog(x);
}

function log10(x: Num): Num {
  return logTo(x, TEN);
}

/** Beyond this a logarithm is not tried for a whole answer. */
const MAX_EXACT_LOG = 1_000;

/** A logarithm, exact where the number is a whole power of its base. */
function logTo(x: Num, base: Num): Num {
  if (compare(base, exact(0n)) <= 0 || compare(base, ONE) === 0) {
    throw new Unanswerable("The base of a logarithm is above zero and not 1");
  }
  const near = logarithm(x) / naturalLog(base);
  const rounded = Math.round(near);
  if (x.kind === "float" || base.kind === "float" || Math.abs(rounded) > MAX_EXACT_LOG) return float(near);
  const candidate = exact(BigInt(rounded));
  return compare(power(base, candidate), x) === 0 ? candidate : float(near);
}

function toInteger(x: Num, way: "floor" | "ceil" | "trunc"): Num {
  if (x.kind === "float") {
    const value = Math[way](x.value);
    return Number.isSafeInteger(value) ? exact(BigInt(value)) : float(value);
  }
  const cut = x.top / x.bottom;
  const isWhole = x.top % x.bottom === 0n;
  if (isWhole || way === "trunc") return exact(cut);
  const isNegative = x.top < 0n;
  return exact(way === "floor" ? isNegative ? cut - 1n : cut : isNegative ? cut : cut + 1n);
}

/** Rounds half away from zero, to so many decimal places. */
function roundTo(x: Num, places: Num | undefined): Num {
  const count = places === undefined ? 0n : toWhole(places, "round");
  if (count < -30n || count > 30n) throw new Unanswerable("round takes up to 30 decimal places");
  const factor = power(TEN, exact(count));
  const shifted = multiply(x.kind === "float" ? exactOf(x.value) : x, factor);
  const half = exact(compare(shifted, exact(0n)) < 0 ? -1n : 1n, 2n);
  const moved = shifted.kind === "exact" && half.kind === "exact"
    ? exact(shifted.top * 2n + half.top * shifted.bottom, shifted.bottom * 2n)
    : shifted;
  return divide(toInteger(moved, "trunc"), factor);
}

/** A float as the decimal number a person would read it as. */
function exactOf(value: number): Num {
  const [mantissa = "0", exponent = "0"] = value.toPrecision(15).split("e");
  const places = mantissa.includes(".") ? mantissa.length - mantissa.indexOf(".") - 1 : 0;
  const top = exact(BigInt(mantissa.replace(".", "")));
  return multiply(top, power(TEN, exact(BigInt(Number(exponent) - places))));
}

/** The remainder with the sign of the divisor: what clocks do. */
function modulo(x: Num, y: Num): Num {
  const rest = remainder(x, y);
  const isOff = !isZero(rest) && compare(rest, exact(0n)) !== compare(y, exact(0n));
  if (!isOff) return rest;
  if (rest.kind === "float" || y.kind === "float") return float(toFloat(rest) + toFloat(y));
  return exact(rest.top * y.bottom + y.top * rest.bottom, rest.bottom * y.bottom);
}

function whole(name: string): (num: Num) => bigint {
  return (num) => toWhole(num, name);
}

function commonDivisor(left: bigint, right: bigint): bigint {
  return gcd(left, right);
}

function commonMultiple(left: bigint, right: bigint): bigint {
  const multiple = left / gcd(left, right) * right;
  // Each step is held to the size of a number, or a hundred arguments would multiply out of all bounds.
  return toWhole(exact(multiple < 0n ? -multiple : multiple), "lcm");
}
