import assert from "node:assert/strict";
import { CODE_LIFETIME_MS, LoginCodes } from "../../web/login_codes.ts";

Deno.test("LoginCodes: a code works once", async () => {
  const codes = new LoginCodes();
  const { code } = await codes.create();
  assert.equal(await codes.redeem(code), true);
  assert.equal(await codes.redeem(code), false);
});

Deno.test("LoginCodes: of two that use a code at once, one comes in", async () => {
  const codes = new LoginCodes();
  const { code } = await codes.create();
  const results = await Promise.all(Array.from({ length: 10 }, () => codes.redeem(code)));
  assert.equal(results.filter(Boolean).length, 1);
});

Deno.test("LoginCodes: a code ends after ten minutes", async () => {
  let now = 1_000_000;
  const codes = new LoginCodes(() => now);
  const early = await codes.create();
  const late = await codes.create();
  assert.equal(early.expiresAt.getTime(), now + 600_000);
  now += CODE_LIFETIME_MS - 1;
  assert.equal(await codes.redeem(early.code), true);
  now += 1;
  assert.equal(await codes.redeem(late.code), false);
});

Deno.test("LoginCodes: a code is typed in capitals, with blanks or without hyphens", async () => {
  const codes = new LoginCodes();
  const { code } = await codes.create();
  assert.match(code, /^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/);
  assert.equal(await codes.redeem(` ${code.toUpperCase().replaceAll("-", "")} `), true);
});

Deno.test("LoginCodes: nonsense is no code", async () => {
  const codes = new LoginCodes();
  await codes.create();
  for (const wrong of ["", "-", "4f7k-92qd", "x".repeat(1_000_000), "\0"]) {
    assert.equal(await codes.redeem(wrong), false);
  }
});

Deno.test("LoginCodes: a loop that asks for codes ends its own oldest ones", async () => {
  const codes = new LoginCodes();
  const made = [];
  for (let count = 0; count < 150; count++) made.push((await codes.create()).code);
  assert.equal(await codes.redeem(made[0]!), false);
  assert.equal(await codes.redeem(made[149]!), true);
  assert.equal(new Set(made).size, 150);
});

Deno.test("LoginCodes: codes are held as digests", async () => {
  const codes = new LoginCodes();
  const { code } = await codes.create();
  assert.ok(!Deno.inspect(codes, { showHidden: true, depth: 10 }).includes(code));
});
