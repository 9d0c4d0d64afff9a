/**
 * Arithmetic without running code.
 *
 * @module
 */
import { defineToolset, tool, z } from "malama";
import { BadExpression, calculate } from "./compute/calculator.ts";

/** `compute`: works out arithmetic expressions. */
export const compute = defineToolset({
  name: "compute",
  description: "Arithmetic, worked out exactly",
  guidance: "Use `calculate` for arithmetic instead of working it out yourself.",
  tools: () => [
    tool({
      name: "calculate",
      description:
        "Works out an arithmetic expression. Whole numbers and decimals are exact, of any length. Understands " +
        "+ - * / % (remainder) ^ or **, brackets, ! (factorial), pi, e, tau, and the functions sqrt, cbrt, abs, round(x, " +
        "places), floor, ceil, trunc, min, max, ln, log (base 10), log(x, base), log2, exp, sin, cos, tan, asin, acos, atan " +
        "(radians; rad(degrees) converts), gcd, lcm, mod. It runs no code. For 15 percent of 80 write 80 * 15 / 100.",
      input: z.object({
        expression: z.string().describe('The expression alone, such as "(1299 - 150) * 1.19"'),
      }),
      run({ expression }) {
        try {
          const { text, isExact } = calculate(expression);
          return `${expression.trim()} ${isExact ? "=" : "≈"} ${text}`;
        } catch (error) {
          if (!(error instanceof BadExpression)) throw error;
          return `That could not be worked out. At character ${error.position}: ${error.message}`;
        }
      },
    }),
  ],
});
