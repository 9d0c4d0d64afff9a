import assert from "node:assert/strict";
import { onSignals, Presses } from "../../cli/signals.ts";

Deno.test("Presses counts the echo of a press as the same one", () => {
  let now = 0;
  const presses = new Presses(() => now);
  assert.equal(presses.press(), true);
  now = 20;
  assert.equal(presses.press(), false);
  now = 499;
  assert.equal(presses.press(), false);
});

Deno.test("Presses counts a second press, measured from the first", () => {
  let now = 0;
  const presses = new Presses(() => now);
  presses.press();
  now = 400;
  presses.press();
  now = 600;
  assert.equal(presses.press(), true);
});

Deno.test({
  name: "onSignals() hears each signal until it is told to forget",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const heard = Promise.withResolvers<void>();
    const forget = onSignals(["SIGUSR2"], heard.resolve);
    // A pending listener alone does not keep the process awake.
    const deadline = setTimeout(() => heard.reject(new Error("The signal was not heard")), 10_000);
    Deno.kill(Deno.pid, "SIGUSR2");
    await heard.promise;
    clearTimeout(deadline);
    forget();
  },
});
