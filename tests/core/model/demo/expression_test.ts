import assert from "node:assert/strict";
import fc from "fast-check";
import { findExpression } from "../../../../core/model/demo/expression.ts";
import { calculate } from "../../../../toolsets/compute/calculator.ts";

const FOUND: readonly (readonly [string, string])[] = [
  ["What is 2^64?", "2^64"],
  ["what's 17% of 2,340", "2340 * 17 / 100"],
  ["How much is 15 percent of 80?", "80 * 15 / 100"],
  ["5 plus 7 times 3", "5 + 7 * 3"],
  ["12 divided by 4.", "12 / 4"],
  ["add 24 to 100", "100 + 24"],
  ["subtract 5 from 20", "20 - 5"],
  ["take 5 away from 20", "20 - 5"],
  ["multiply 3 by 4", "3 * 4"],
  ["divide 10 by 4", "10 / 4"],
  ["the square root of 2 times 3", "sqrt(2) * 3"],
  ["sqrt(16) + 1, please", "sqrt(16) + 1"],
  ["max(1, 2, 3)", "max(1, 2, 3)"],
  ["5 factorial", "5!"],
  ["7 squared", "7 ^2"],
  ["2 × 3 ÷ 4 − 1", "2 * 3 / 4 - 1"],
  ["3 x 4", "3 * 4"],
  ["(is (1+2)*3 nine?)", "(1+2)*3"],
  ["pi * 2", "pi * 2"],
  ["1,234,567 + 1", "1234567 + 1"],
];

for (const [text, expression] of FOUND) {
  Deno.test(`findExpression() finds the sum in ${JSON.stringify(text)}`, () => {
    assert.equal(findExpression(text), expression);
    calculate(expression);
  });
}

const NONE = [
  "What day is it?",
  "on 2026-12-01 at 15:30",
  "version 1.2",
  "call 555",
  "I have 3 apples and 4 pears",
  "see https://example.com/1/2-3",
  "time in Europe/Berlin",
  "",
  "- a list\n- of things",
  "(hello)",
];

for (const text of NONE) {
  Deno.test(`findExpression() finds no sum in ${JSON.stringify(text)}`, () => {
    assert.equal(findExpression(text), undefined);
  });
}

Deno.test("findExpression() puts the last result in the place of 'that' and 'it'", () => {
  assert.equal(findExpression("add 24 to that", "1024"), "1024 + 24");
  assert.equal(findExpression("divide it by 7", "1048"), "1048 / 7");
  assert.equal(findExpression("multiply the result by 2", "(-3)"), "(-3) * 2");
  assert.equal(findExpression("add 24 to that"), undefined);
});

Deno.test("findExpression() finds every sum of whole numbers it is given, and the calculator takes it", () => {
  const number = fc.nat(9999).map(String);
  const sign = fc.constantFrom("+", "-", "*", "/", "^");
  fc.assert(fc.property(number, sign, number, (left, operator, right) => {
    const sum = `${left} ${operator} ${right}`;
    assert.equal(findExpression(`what is ${sum}?`), sum);
  }));
});
