import assert from "node:assert/strict";
import fc from "fast-check";
import { BadExpression, calculate, MAX_DEPTH, MAX_LENGTH } from "../../toolsets/compute/calculator.ts";

const value = (expression: string) => calculate(expression).text;
const isExact = (expression: string) => calculate(expression).isExact;

/** The error an expression gives. */
function problemOf(expression: string): BadExpression {
  try {
    calculate(expression);
  } catch (error) {
    assert.ok(error instanceof BadExpression, String(error));
    return error;
  }
  throw new Error(`"${expression}" was worked out`);
}

const EXACT: readonly (readonly [string, string])[] = [
  ["1 + 2 * 3", "7"],
  ["(1 + 2) * 3", "9"],
  ["2 - 3 - 4", "-5"],
  ["100 / 10 / 5", "2"],
  ["0.1 + 0.2", "0.3"],
  ["1.10 * 3", "3.3"],
  ["2 ^ 64", "18446744073709551616"],
  ["2 ** 64", "18446744073709551616"],
  ["2 ^ 3 ^ 2", "512"],
  ["-2 ^ 2", "-4"],
  ["(-2) ^ 2", "4"],
  ["2 ^ -3", "0.125"],
  ["-2 * -3", "6"],
  ["2 - -3", "5"],
  ["--3", "3"],
  ["+5", "5"],
  ["10 % 3", "1"],
  ["-7 % 3", "-1"],
  ["7 % -3", "1"],
  ["5.5 % 2", "1.5"],
  ["mod(-7, 3)", "2"],
  ["2 / 3 * 3", "2"],
  ["5!", "120"],
  ["3!!", "720"],
  ["-3!", "-6"],
  ["2 ^ 3!", "64"],
  ["100! / 98!", "9900"],
  ["sqrt(16)", "4"],
  ["sqrt(0.25)", "0.5"],
  ["cbrt(-27)", "-3"],
  ["8 ^ (1 / 3)", "2"],
  ["4 ^ 0.5", "2"],
  ["16 ^ 0.75", "8"],
  ["log(1000)", "3"],
  ["log(8, 2)", "3"],
  ["log2(1024)", "10"],
  ["log(0.001)", "-3"],
  ["ln(1)", "0"],
  ["exp(0)", "1"],
  ["sin(0)", "0"],
  ["round(2.5)", "3"],
  ["round(-2.5)", "-3"],
  ["round(2.345, 2)", "2.35"],
  ["round(1234, -2)", "1200"],
  ["round(pi, 4)", "3.1416"],
  ["floor(-1.5)", "-2"],
  ["ceil(-1.5)", "-1"],
  ["trunc(-1.5)", "-1"],
  ["floor(7 / 2)", "3"],
  ["abs(-4)", "4"],
  ["sign(-4)", "-1"],
  ["min(3, 1, 2)", "1"],
  ["max(3, 1, 2)", "3"],
  ["gcd(12, 18, 27)", "3"],
  ["lcm(4, 6, 10)", "60"],
  ["1e3", "1000"],
  ["1.5e-3", "0.0015"],
  ["1_000_000 + 1", "1000001"],
  [".5 + 5.", "5.5"],
  ["2 × 3 ÷ 4 − 1", "0.5"],
  ["[1 + 2] * 3", "9"],
  ["SQRT(4)", "2"],
  ["0 ^ 0", "1"],
  ["2340 * 17 / 100", "397.8"],
  ["(1299 - 150) * 1.19", "1367.31"],
];

for (const [expression, expected] of EXACT) {
  Deno.test(`calculate() works out ${expression} exactly`, () => {
    assert.deepEqual(calculate(expression), { text: expected, isExact: true });
  });
}

const ROUNDED: readonly (readonly [string, string])[] = [
  ["1 / 3", "0.333333333333333"],
  ["2 / 3", "0.666666666666667"],
  ["-1 / 7", "-0.142857142857143"],
  ["sqrt(2)", "1.4142135623731"],
  ["sqrt(2) * sqrt(2)", "2"],
  ["pi", "3.14159265358979"],
  ["2 * π", "6.28318530717959"],
  ["sin(pi)", "0"],
  ["cos(pi / 2)", "0"],
  ["sin(pi / 6)", "0.5"],
  ["sin(rad(30))", "0.5"],
  ["deg(pi)", "180"],
  ["atan2(1, 1) * 4", "3.14159265358979"],
  ["ln(e)", "1"],
  ["1e-9 / 3", "3.33333333333333e-10"],
  ["10 ^ 25 / 3", "3.33333333333333e+24"],
  ["ln(10 ^ 3000)", "6907.75527898214"],
  ["99999999999999998 / 3e30", "3.33333333333333e-14"],
  ["10 ^ 1500", "1e+1500"],
  ["1 / 3 + 0.1 - 1 / 3 - 0.1 + 1 / 3", "0.333333333333333"],
];

for (const [expression, expected] of ROUNDED) {
  Deno.test(`calculate() works out ${expression} to fifteen digits`, () => {
    assert.deepEqual(calculate(expression), { text: expected, isExact: false });
  });
}

const WRONG: readonly (readonly [string, number, RegExp])[] = [
  ["", 1, /number is missing at the end/],
  ["1 +", 4, /number is missing at the end/],
  ["1 + * 2", 5, /missing before "\*"/],
  ["(1 + 2", 1, /never closed/],
  ["sqrt(4", 5, /never closed/],
  ["1 + 2)", 6, /never opened/],
  ["2 (3)", 3, /operator is missing before "\("/],
  ["2 pi", 3, /operator is missing before "pi"/],
  ["1.5.2", 4, /operator is missing before "\.2"/],
  ["1,234 + 1", 2, /comma only parts a function's arguments/],
  ["15% of 80", 5, /write 80 \* 15 \/ 100/],
  ["foo(2)", 1, /no "foo"\. The functions are abs.*the constants pi, tau, e/],
  ["constructor", 1, /no "constructor"/],
  ["__proto__(1)", 1, /no "__proto__"/],
  ["sqrt 4", 1, /"sqrt" needs its argument in brackets/],
  ["sqrt()", 1, /takes 1 arguments, not 0/],
  ["sqrt(1, 2)", 1, /takes 1 arguments, not 2/],
  ["log(1, 2, 3)", 1, /takes 1 to 2 arguments, not 3/],
  ["1 / 0", 3, /divided by zero/],
  ["1 % 0", 3, /remainder of a division by zero/],
  ["0 ^ -1", 3, /no negative power/],
  ["sqrt(-1)", 1, /not defined for real numbers/],
  ["(-8) ^ 0.5", 6, /not defined for real numbers/],
  ["ln(0)", 1, /above zero/],
  ["log(8, 1)", 1, /base of a logarithm/],
  ["tan(pi / 2)", 1, /no value there/],
  ["asin(2)", 1, /not defined/],
  ["(-1)!", 5, /negative number has no factorial/],
  ["2.5!", 4, /needs whole numbers/],
  ["4000!", 5, /too large/],
  ["gcd(1.5, 2)", 1, /needs whole numbers/],
  ["9 ^ 9 ^ 9", 3, /too large/],
  ["1 / 3 ^ 9999", 3, /too long/],
  ["1e9999", 1, /too many places/],
  ["exp(1000)", 1, /too large/],
  ["round(1, 99)", 1, /30 decimal places/],
  ["x = 3", 1, /no "x"|means nothing here: give one side only/],
  ["$5 * 2", 1, /leave the currency out/],
  ["2 & 3", 3, /"&" means nothing here/],
  ["alert('x')", 7, /means nothing here/],
  ["1; 2", 2, /";" means nothing here/],
  ["'a'", 1, /means nothing here/],
];

for (const [expression, position, message] of WRONG) {
  Deno.test(`calculate() says what is wrong with ${JSON.stringify(expression)}, and where`, () => {
    const problem = problemOf(expression);
    assert.match(problem.message, message);
    if (expression !== "x = 3") assert.equal(problem.position, position);
    assert.doesNotMatch(problem.message, /[.!]$/);
  });
}

Deno.test("calculate() reads up to its length and depth, and no further", () => {
  assert.equal(value("1".padStart(MAX_LENGTH, " ")), "1");
  assert.match(problemOf("1".padStart(MAX_LENGTH + 1, " ")).message, /too long/);
  const nested = (levels: number) => `${"(".repeat(levels)}1${")".repeat(levels)}`;
  assert.equal(value(nested(MAX_DEPTH - 1)), "1");
  assert.match(problemOf(nested(MAX_DEPTH)).message, /nests too deep/);
  assert.match(problemOf("-".repeat(MAX_LENGTH - 1) + "1").message, /nests too deep/);
});

Deno.test("calculate() takes no long time over anything it reads", () => {
  const fill = (unit: string, joiner: string) => Array(Math.floor(900 / (unit.length + 1))).fill(unit).join(joiner);
  const heavy = [
    fill("3000!", "+"),
    fill("3000!/2999!", "+"),
    fill("sqrt(7^9e3)", "+"),
    fill("1/3^2e3", "+"),
    fill("9^1e4", "%"),
    fill("log(7^9e3,7)", "+"),
    `lcm(${fill("9^1e4", ",").split(",").slice(0, 90).join(",")})`,
    `1${"!".repeat(900)}`,
    "9^9^9^9^9",
    "2^-99999999999",
    "(1/7)^3000 * (1/11)^3000",
  ];
  const started = performance.now();
  for (const expression of heavy) {
    try {
      calculate(expression);
    } catch (error) {
      assert.ok(error instanceof BadExpression, String(error));
    }
  }
  assert.ok(performance.now() - started < 10_000, `${performance.now() - started} ms`);
});

const whole = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const shown = (number: bigint) => number < 0n ? `(${number})` : String(number);

Deno.test("calculate() agrees with BigInt on whole numbers of any length", () => {
  fc.assert(fc.property(whole, whole, fc.nat(30), (left, right, exponent) => {
    const [a, b] = [shown(left), shown(right)];
    assert.equal(value(`${a} + ${b}`), String(left + right));
    assert.equal(value(`${a} - ${b}`), String(left - right));
    assert.equal(value(`${a} * ${b}`), String(left * right));
    assert.equal(value(`${a} ^ ${exponent}`), String(left ** BigInt(exponent)));
    if (right !== 0n) {
      assert.equal(value(`${a} % ${b}`), String(left % right));
      assert.equal(value(`trunc(${a} / ${b})`), String(left / right));
      assert.equal(value(`${a} * ${b} / ${b}`), String(left));
    }
  }));
});

Deno.test("calculate() rounds a fraction at its fifteenth digit, whatever its size", () => {
  const part = fc.bigInt({ min: 1n, max: 10n ** 40n });
  fc.assert(fc.property(part, part, fc.boolean(), (top, bottom, isNegative) => {
    const { text } = calculate(`${isNegative ? "-" : ""}${top} / ${bottom}`);
    const [mantissa = "", exponent = "0"] = text.replace(/^-/, "").split("e");
    const [integer = "", fraction = ""] = mantissa.split(".");
    const places = Number(exponent) - fraction.length;
    // |text - top/bottom| <= half of the fifteenth digit, all in whole numbers.
    const shown = BigInt(integer + fraction) * 10n ** BigInt(Math.max(0, places));
    const unit = 10n ** BigInt(Math.max(0, -places));
    const off = shown * bottom - top * unit;
    assert.ok((off < 0n ? -off : off) * 10n ** 14n <= top * unit, text);
    assert.equal(text.startsWith("-"), isNegative);
  }));
});

const decimal = fc.tuple(fc.integer({ min: -99_999_999, max: 99_999_999 }), fc.nat(6)).map(([digits, places]) => {
  return { digits, places, text: (digits / 10 ** places).toFixed(places) };
});

Deno.test("calculate() adds decimals without noise", () => {
  fc.assert(fc.property(decimal, decimal, (left, right) => {
    const places = Math.max(left.places, right.places);
    const sum = BigInt(left.digits) * 10n ** BigInt(places - left.places) +
      BigInt(right.digits) * 10n ** BigInt(places - right.places);
    const result = calculate(`(${left.text}) + (${right.text})`);
    assert.equal(result.isExact, true);
    const [integer = "", fraction = ""] = result.text.split(".");
    assert.equal(BigInt(integer.replace("-", "") + fraction.padEnd(places, "0")), sum < 0n ? -sum : sum);
    assert.equal(result.text.startsWith("-"), sum < 0n);
  }));
});

/** A random expression, with the number JavaScript makes of it. */
const tree: fc.Arbitrary<{ readonly text: string; readonly number: number }> = fc.letrec<{
  node: { readonly text: string; readonly number: number };
}>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.integer({ min: 0, max: 999 }).map((number) => ({ text: String(number), number })),
    fc.tuple(tie("node"), fc.constantFrom("+", "-", "*"), tie("node")).map(([left, sign, right]) => ({
      text: `(${left.text} ${sign} ${right.text})`,
      number: sign === "+"
        ? left.number + right.number
        : sign === "-"
        ? left.number - right.number
        : left.number * right.number,
    })),
    tie("node").map((node) => ({ text: `-${node.text}`, number: -node.number })),
    tie("node").map((node) => ({ text: `abs(${node.text})`, number: Math.abs(node.number) })),
    fc.tuple(tie("node"), tie("node")).map(([left, right]) => ({
      text: `max(${left.text}, ${right.text})`,
      number: Math.max(left.number, right.number),
    })),
  ),
})).node;

Deno.test("calculate() agrees with JavaScript on expressions of safe whole numbers", () => {
  fc.assert(fc.property(tree, ({ text, number }) => {
    fc.pre(text.length <= MAX_LENGTH && Number.isSafeInteger(number));
    fc.pre(Math.abs(number) < 1e15);
    assert.equal(Number(value(text)), number === 0 ? 0 : number);
  }));
});

Deno.test("calculate() knows precedence as JavaScript does", () => {
  const number = fc.integer({ min: 1, max: 20 }).map(String);
  const sign = fc.constantFrom("+", "-", "*", "/", "%");
  const flat = fc.tuple(number, fc.array(fc.tuple(sign, number), { minLength: 1, maxLength: 6 }));
  fc.assert(fc.property(flat, ([first, rest]) => {
    const tokens = [first, ...rest.flat()];
    const expected = reference(tokens);
    assert.ok(
      Math.abs(Number(value(tokens.join(" "))) - expected) <= Math.abs(expected) * 1e-12 + 1e-12,
      tokens.join(" "),
    );
  }));
});

/** The schoolbook way: first all products from the left, then all sums. */
function reference(tokens: readonly string[]): number {
  const sums: number[] = [Number(tokens[0])];
  for (let at = 1; at < tokens.length; at += 2) {
    const right = Number(tokens[at + 1]);
    const last = sums.length - 1;
    const left = sums[last] ?? 0;
    switch (tokens[at]) {
      case "*":
        sums[last] = left * right;
        break;
      case "/":
        sums[last] = left / right;
        break;
      case "%":
        sums[last] = left % right;
        break;
      case "+":
        sums.push(right);
        break;
      default:
        sums.push(-right);
    }
  }
  return sums.reduce((total, each) => total + each, 0);
}

Deno.test("calculate() takes an exact root of every exact power", () => {
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.integer({ min: 2, max: 8 }), (base, degree) => {
    assert.equal(value(`(${base} ^ ${degree}) ^ (1 / ${degree})`), String(base));
  }));
});

Deno.test("calculate() throws nothing but BadExpression, with a place inside the text", () => {
  const piece = fc.constantFrom(
    "1",
    "2.5",
    "(",
    ")",
    "+",
    "-",
    "*",
    "/",
    "%",
    "^",
    "!",
    ",",
    "pi",
    "sqrt",
    "log",
    " ",
    "$",
  );
  const text = fc.oneof(fc.string(), fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join("")));
  fc.assert(
    fc.property(text, (expression) => {
      try {
        assert.match(value(expression), /^-?\d+(?:\.\d+)?(?:e[+-]\d+)?$/);
      } catch (error) {
        assert.ok(error instanceof BadExpression, String(error));
        assert.ok(error.position >= 1 && error.position <= expression.length + 1);
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("calculate() says of every number whether it is whole", () => {
  assert.equal(isExact("1 / 8"), true);
  assert.equal(isExact("1 / 3"), false);
  assert.equal(isExact(`1 / 2 ^ 60`), true);
  assert.equal(isExact(`1 / 2 ^ 61`), false);
  assert.equal(isExact("10 ^ 999"), true);
  assert.equal(isExact("10 ^ 1000"), false);
});
