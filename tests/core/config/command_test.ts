import assert from "node:assert/strict";
import { commandName, MALAMA_COMMAND } from "../../../core/config/mod.ts";

const nothing = () => undefined;

Deno.test("commandName() is the installed name, or the task of the source, with Node.js alone through npx", () => {
  assert.equal(commandName(true, nothing), "malama");
  assert.equal(commandName(false, nothing), "deno task start");
  assert.equal(commandName(false, (name) => name === "npm_command" ? "exec" : undefined), "npx -y deno task start");
  assert.equal(commandName(false, (name) => name === "npm_command" ? "run-script" : undefined), "deno task start");
});

Deno.test("MALAMA_COMMAND is how the tests themselves would start it", () => {
  assert.match(MALAMA_COMMAND, /deno task start$/);
});
