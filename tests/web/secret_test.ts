import assert from "node:assert/strict";
import { cookiesOf, setCookie } from "../../web/cookies.ts";
import { authenticationCode, randomSecret, sameSecret } from "../../web/secret.ts";
import { themeOf } from "../../web/state.ts";

Deno.test("randomSecret() never repeats and can stand in an address", () => {
  const made = new Set(Array.from({ length: 1000 }, () => randomSecret(16)));
  assert.equal(made.size, 1000);
  for (const secret of made) assert.match(secret, /^[\w-]{22}$/);
});

Deno.test("sameSecret() compares whole texts of any length", async () => {
  for (const text of ["", "a", "token", "é", "x".repeat(10_000)]) assert.equal(await sameSecret(text, text), true);
  for (const [a, b] of [["a", ""], ["token", "tokem"], ["token", "token "], ["Token", "token"]] as const) {
    assert.equal(await sameSecret(a, b), false);
  }
});

Deno.test("authenticationCode() is HMAC-SHA256: the test case 2 of RFC 4231", async () => {
  const code = await authenticationCode("Jefe", "what do ya want for nothing?");
  assert.equal(
    Uint8Array.fromBase64(code, { alphabet: "base64url" }).toHex(),
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

Deno.test("cookiesOf() reads what browsers send, and passes over what is none", () => {
  const read = (cookie: string) => Object.fromEntries(cookiesOf(new Headers({ cookie })));
  assert.deepEqual(read("a=1; b=2;c=3"), { a: "1", b: "2", c: "3" });
  assert.deepEqual(read("a=x=y; =; flag; a=second"), { a: "x=y", "": "" });
  assert.deepEqual(Object.fromEntries(cookiesOf(new Headers())), {});
});

Deno.test("setCookie() is closed to scripts and to other sites, always", () => {
  const kept = setCookie("malama_1", "v", { path: "/", maxAge: 60, secure: false });
  assert.equal(kept, "malama_1=v; Path=/; Max-Age=60; HttpOnly; SameSite=Strict");
  assert.match(setCookie("a", "v", { path: "/x", maxAge: 0, secure: true }), /Path=\/x; Max-Age=0; .*; Secure$/);
});

Deno.test("themeOf() knows two themes; anything else follows the machine", () => {
  assert.equal(themeOf(new Map([["malama_theme", "dark"]])), "dark");
  assert.equal(themeOf(new Map([["malama_theme", "light"]])), "light");
  assert.equal(themeOf(new Map([["malama_theme", "<script>"]])), "auto");
  assert.equal(themeOf(new Map()), "auto");
});
