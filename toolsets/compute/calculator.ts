/**
 * Works out an arithmetic expression. It reads and counts; it never runs code, and knows no names but its own functions and
 * constants.
 *
 * From the loosest to the tightest: `+ -`, then `* / %`, then signs, then `^` or `**` (from the right, so `2^3^2` is 2^9, and
 * `-2^2` is -4), then `!`.
 *
 * Invariants
 * 1. Whole numbers and decimals are worked out exactly, however long, up to `MAX_BITS` (tests/toolsets/calculator_test.ts).
 * 2. What cannot be worked out throws `BadExpression`, which says where, and nothing else is ever thrown (same file).
 * 3. Time and memory are bounded: length, depth, the size of numbers (same file).
 *
 * @module
 */
import { CONSTANTS, factorial, FUNCTIONS } from "./functions.ts";
import { add, divide, exact, multiply, negate, type Num, power, remainder, Unanswerable } from "./number.ts";
import { type NumberText, writeNumber } from "./number_text.ts";
import { type Token, tokenize, WrongToken } from "./tokens.ts";

/** Characters an expression may have. */
export const MAX_LENGTH = 1_000;

/** How deep brackets, signs and powers may nest. */
export const MAX_DEPTH = 100;

/** An expression that cannot be worked out. */
export class BadExpression extends Error {
  override readonly name = "BadExpression";
  /** `position` counts characters from 1. */
  constructor(message: string, readonly position: number) {
    super(message);
  }
}

/** Works out an expression. Throws `BadExpression`. */
export function calculate(expression: string): NumberText {
  if (expression.length > MAX_LENGTH) {
    throw new BadExpression(`The expression is too long: up to ${MAX_LENGTH} characters are read`, MAX_LENGTH);
  }
  try {
    const reader = new Reader(tokenize(expression), expression.length + 1);
    return writeNumber(reader.readAll());
  } catch (error) {
    if (error instanceof WrongToken) throw new BadExpression(error.message, error.position);
    throw error;
  }
}

/** How tightly an operator holds what is on its left. */
const STRENGTH: Readonly<Record<string, number>> = { "+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "^": 4 };
const SIGN_STRENGTH = 3;

class Reader {
  #at = 0;
  #depth = 0;
  readonly #tokens: readonly Token[];
  readonly #end: number;

  constructor(tokens: readonly Token[], end: number) {
    this.#tokens = tokens;
    this.#end = end;
  }

  readAll(): Num {
    const value = this.#read(0);
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) throw this.#unexpected(rest);
    return value;
  }

  /** Reads a value and every operator after it that holds at least as tightly as `strength`. */
  #read(strength: number): Num {
    this.#depth++;
    if (this.#depth > MAX_DEPTH) {
      throw new BadExpression(`It nests too deep: up to ${MAX_DEPTH} levels are read`, this.#position());
    }
    let left = this.#readValue();
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token?.kind !== "sign") break;
      const held = STRENGTH[token.text] ?? 0;
      if (held === 0 || held < strength) break;
      this.#at++;
      const right = this.#read(token.text === "^" ? held : held + 1);
      left = this.#work(token, () => apply(token.text, left, right));
    }
    this.#depth--;
    return left;
  }

  #readValue(): Num {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new BadExpression("A number is missing at the end", this.#end);
    this.#at++;
    switch (token.kind) {
      case "number":
        return this.#readFactorials(token.value);
      case "name":
        return this.#readFactorials(this.#readName(token));
      case "sign":
        if (token.text === "(") return this.#readFactorials(this.#readBrackets(token));
        if (token.text === "-") return negate(this.#read(SIGN_STRENGTH));
        if (token.text === "+") return this.#read(SIGN_STRENGTH);
        throw this.#unexpected(token);
      default:
        return token satisfies never;
    }
  }

  #readFactorials(value: Num): Num {
    let result = value;
    for (let token = this.#tokens[this.#at]; token?.text === "!"; token = this.#tokens[this.#at]) {
      this.#at++;
      const held = result;
      result = this.#work(token, () => factorial(held));
    }
    return result;
  }

  #readBrackets(open: Token): Num {
    const value = this.#read(0);
    this.#close(open);
    return value;
  }

  #readName(token: Token): Num {
    const name = token.text.toLowerCase();
    const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (known === undefined) {
      const constant = Object.hasOwn(CONSTANTS, name) ? CONSTANTS[name] : undefined;
      if (constant !== undefined) return constant;
      if (name === "of" || name === "percent") {
        throw new BadExpression("For a percentage, write 80 * 15 / 100", token.position);
      }
      throw new BadExpression(
        `There is no "${token.text.slice(0, 40)}". The functions are ${
          Object.keys(FUNCTIONS).join(", ")
        }; the constants ${Object.keys(CONSTANTS).join(", ")}`,
        token.position,
      );
    }
    const open = this.#tokens[this.#at];
    if (open?.text !== "(") throw new BadExpression(`"${name}" needs its argument in brackets`, token.position);
    this.#at++;
    const values = this.#readArguments(open);
    const [first, ...others] = values;
    if (first === undefined || values.length < known.least || values.length > known.most) {
      const wanted = known.least === known.most ? `${known.least}` : `${known.least} to ${known.most}`;
      throw new BadExpression(`"${name}" takes ${wanted} arguments, not ${values.length}`, token.position);
    }
    return this.#work(token, () => known.run(first, ...others));
  }

  #readArguments(open: Token): readonly Num[] {
    const values: Num[] = [];
    if (this.#tokens[this.#at]?.text === ")") {
      this.#at++;
      return values;
    }
    for (;;) {
      values.push(this.#read(0));
      if (this.#tokens[this.#at]?.text !== ",") break;
      this.#at++;
    }
    this.#close(open);
    return values;
  }

  #close(open: Token): void {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new BadExpression("This bracket is never closed", open.position);
    if (token.text !== ")") throw this.#unexpected(token);
    this.#at++;
  }

  /** Adds the place to what a number refuses to do. */
  #work(token: Token, work: () => Num): Num {
    try {
      return work();
    } catch (error) {
      if (error instanceof Unanswerable) throw new BadExpression(error.message, token.position);
      throw error;
    }
  }

  #position(): number {
    return this.#tokens[this.#at]?.position ?? this.#end;
  }

  #unexpected(token: Token): BadExpression {
    if (token.text === ",") {
      return new BadExpression("A comma only parts a function's arguments; write numbers without it", token.position);
    }
    if (token.text === ")") return new BadExpression("This bracket was never opened", token.position);
    if (token.kind === "sign" && token.text !== "(") {
      return new BadExpression(`A number is missing before "${token.text}"`, token.position);
    }
    return new BadExpression(`An operator is missing before "${token.text}", such as *`, token.position);
  }
}

function apply(sign: string, left: Num, right: Num): Num {
  switch (sign) {
    case "+":
      return add(left, right);
    case "-":
      return add(left, negate(right));
    case "*":
      return multiply(left, right);
    case "/":
      return divide(left, right);
    case "%":
      return remainder(left, right);
    case "^":
      return power(left, right);
    default:
      return exact(0n);
  }
}
