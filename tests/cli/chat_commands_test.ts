import assert from "node:assert/strict";
import fc from "fast-check";
import { chatHelp, readLine } from "../../cli/chat_commands.ts";

Deno.test("readLine() takes plain text as a message, its indentation kept", () => {
  assert.deepEqual(readLine("hello"), { kind: "message", text: "hello" });
  assert.deepEqual(readLine("    code  "), { kind: "message", text: "    code" });
});

Deno.test("readLine() takes a blank line as nothing", () => {
  assert.deepEqual(readLine("  \t "), { kind: "blank" });
});

Deno.test("readLine() reads commands in any case, and /exit as /quit", () => {
  assert.deepEqual(readLine("/stop"), { kind: "command", command: "stop", argument: "" });
  assert.deepEqual(readLine(" /STOP "), { kind: "command", command: "stop", argument: "" });
  assert.deepEqual(readLine("/exit"), { kind: "command", command: "quit", argument: "" });
  assert.deepEqual(readLine("/switch 01ABCDEF"), { kind: "command", command: "switch", argument: "01ABCDEF" });
});

Deno.test("readLine() does not send a mistyped command as a message", () => {
  const line = readLine("/stpo");
  assert.ok(line.kind === "unknown");
  assert.match(line.advice, /did you mean \/stop\?.*write \/\/stpo/);
});

Deno.test("readLine() refuses words after a command that takes none", () => {
  const line = readLine("/stop the presses");
  assert.ok(line.kind === "unknown");
  assert.match(line.advice, /\/stop takes nothing after it/);
});

Deno.test("readLine() takes two slashes as a message that starts with one", () => {
  assert.deepEqual(readLine("//stop the presses"), { kind: "message", text: "/stop the presses" });
});

Deno.test("readLine() takes a path, and several lines, as a message", () => {
  assert.deepEqual(readLine("/etc/hosts is a file"), { kind: "message", text: "/etc/hosts is a file" });
  assert.equal(readLine("/stop\nand more").kind, "message");
});

Deno.test("readLine() knows no command by a name that every object has", () => {
  assert.equal(readLine("/constructor").kind, "unknown");
});

Deno.test("readLine() reads whatever is typed", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    assert.ok(["blank", "message", "command", "unknown"].includes(readLine(text).kind));
    assert.ok(readLine(`/${text}`).kind !== "blank");
  }));
});

Deno.test("chatHelp() names the commands, and the keys where there are any", () => {
  for (const command of ["/new", "/stop", "/diag", "/help", "/quit", "/continue", "/switch ID"]) {
    assert.ok(chatHelp(false).includes(command), command);
  }
  assert.match(chatHelp(true), /Ctrl-C stops a running turn first/);
  assert.doesNotMatch(chatHelp(false), /Ctrl-C/);
});
