import assert from "node:assert/strict";
import { NoService, serviceKey, Services } from "../../../core/tool/mod.ts";

const CLOCK = serviceKey<() => number>("clock");

Deno.test("a service is made on its first use, and once", () => {
  let made = 0;
  const services = new Services().provide(CLOCK, () => (made++, () => 7));
  assert.equal(made, 0);
  assert.equal(services.service(CLOCK)(), 7);
  services.service(CLOCK);
  assert.equal(made, 1);
});

Deno.test("what a run does not provide is looked up in the house, and its own goes first", () => {
  const house = new Services().provide(CLOCK, () => () => 1);
  const run = new Services(house);
  assert.equal(run.service(CLOCK)(), 1);
  assert.equal(run.provide(CLOCK, () => () => 2).service(CLOCK)(), 2);
  assert.equal(house.service(CLOCK)(), 1);
});

Deno.test("a service that is not there is an error that names it", () => {
  const services = new Services();
  assert.throws(
    () => services.service(CLOCK),
    (error) => error instanceof NoService && error.message.includes('"clock"'),
  );
});
