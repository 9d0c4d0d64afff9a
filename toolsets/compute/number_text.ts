/**
 * The calculator's numbers as text.
 *
 * @module
 */
import { bits, type Num } from "./number.ts";

/** Decimal places an exact number may be written out to before it counts as too long. */
const MAX_PLACES = 60;

/** Digits of a whole number that are written out before it is cut to its leading ones. */
const MAX_DIGITS = 1_000;

/** A number's text, and whether it is the whole of the number. */
export interface NumberText {
  readonly text: string;
  readonly isExact: boolean;
}

/** Writes a number: whole where that is possible and not too long, else to fifteen significant digits. */
export function writeNumber(num: Num): NumberText {
  if (num.kind === "float") {
    // Fifteen digits are what floating point keeps through a few operations; the rest is noise.
    return { text: tidyFloat(num.value.toPrecision(15)), isExact: false };
  }
  if (num.bottom === 1n) return writeWhole(num.top);
  const places = placesOf(num.bottom);
  if (places !== undefined) return { text: decimal(num.top, num.bottom, places), isExact: true };
  return { text: significant(num.top, num.bottom, 15), isExact: false };
}

function writeWhole(value: bigint): NumberText {
  const text = value.toString();
  const digits = value < 0n ? text.length - 1 : text.length;
  if (digits <= MAX_DIGITS) return { text, isExact: true };
  return { text: significant(value, 1n, 15), isExact: false };
}

/** How many decimal places `1 / bottom` has; `undefined` when it never ends, or is too long to write. */
function placesOf(bottom: bigint): number | undefined {
  let rest = bottom;
  let twos = 0;
  let fives = 0;
  for (; rest % 2n === 0n && twos <= MAX_PLACES; twos++) rest /= 2n;
  for (; rest % 5n === 0n && fives <= MAX_PLACES; fives++) rest /= 5n;
  const places = Math.max(twos, fives);
  return rest === 1n && places <= MAX_PLACES ? places : undefined;
}

function decimal(top: bigint, bottom: bigint, places: number): string {
  const scaled = top * 10n ** BigInt(places) / bottom;
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(places + 1, "0");
  return `${scaled < 0n ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** A fraction to so many significant digits, rounded half up, worked out in whole numbers. */
function significant(top: bigint, bottom: bigint, digits: number): string {
  const size = top < 0n ? -top : top;
  // The power of ten of the first digit, to within one; then put right.
  let exponent = Math.floor((bits(size) - bits(bottom)) * Math.log10(2));
  let scaled = scale(size, bottom, digits - 1 - exponent);
  for (; scaled >= 10n ** BigInt(digits); scaled = scale(size, bottom, digits - 1 - exponent)) exponent++;
  for (; scaled < 10n ** BigInt(digits - 1); scaled = scale(size, bottom, digits - 1 - exponent)) exponent--;
  const all = scaled.toString();
  const mantissa = tidyFloat(`${top < 0n ? "-" : ""}${all[0]}.${all.slice(1)}`);
  if (exponent >= -7 && exponent < 21) return plain(all, exponent, top < 0n);
  return `${mantissa}e${exponent < 0 ? "" : "+"}${exponent}`;
}

function scale(size: bigint, bottom: bigint, places: number): bigint {
  const [over, under] = places >= 0 ? [size * 10n ** BigInt(places), bottom] : [size, bottom * 10n ** BigInt(-places)];
  return (2n * over + under) / (2n * under);
}

function plain(digits: string, exponent: number, isNegative: boolean): string {
  const padded = exponent < 0 ? "0".repeat(-exponent) + digits : digits.padEnd(exponent + 1, "0");
  const point = exponent < 0 ? 1 : exponent + 1;
  return tidyFloat(`${isNegative ? "-" : ""}${padded.slice(0, point)}.${padded.slice(point)}`);
}

/** Without the zeros that say nothing at the end of a fraction. */
function tidyFloat(text: string): string {
  const [mantissa = "", exponent] = text.split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  const whole = short === "-0" || short === "" ? "0" : short;
  return exponent === undefined ? whole : `${whole}e${exponent}`;
}
