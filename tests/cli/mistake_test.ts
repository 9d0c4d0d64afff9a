import assert from "node:assert/strict";
import { endingOf, Mistake } from "../../cli/mistake.ts";

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

Deno.test("endingOf() ends a mistake with its own status and one line", () => {
  assert.deepEqual(endingOf(new Mistake("Write a port")), { status: 2, text: "Write a port" });
  assert.deepEqual(endingOf(new Mistake("No model answers", 1)), { status: 1, text: "No model answers" });
});

for (const name of ["ConfigError", "StorageLocked", "StorageFailed", "PortTaken"]) {
  Deno.test(`endingOf() counts ${name} as the user's mistake, without a stack`, () => {
    assert.deepEqual(endingOf(named(name, "Say what to do")), { status: 2, text: "Say what to do" });
  });
}

for (const name of ["BadModelString", "Unreachable", "Rejected"]) {
  Deno.test(`endingOf() ends ${name} with 1: the model cannot start`, () => {
    assert.equal(endingOf(named(name, "No such model")).status, 1);
  });
}

Deno.test("endingOf() puts several problems on one line", () => {
  assert.equal(endingOf(named("ConfigError", "first\n  second\n")).text, "first; second");
});

Deno.test("endingOf() shows the stack of a fault of ours", () => {
  const ending = endingOf(new TypeError("x is not a function"));
  assert.equal(ending.status, 70);
  assert.match(ending.text, /fault in Malama[\s\S]*x is not a function[\s\S]*at /);
});

Deno.test("endingOf() copes with what is not an error, and with a name every object has", () => {
  assert.equal(endingOf("gone").status, 70);
  assert.equal(endingOf(named("toString", "odd")).status, 70);
});
