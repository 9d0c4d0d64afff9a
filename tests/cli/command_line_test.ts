import assert from "node:assert/strict";
import { MALAMA_COMMAND } from "../../core/config/mod.ts";
import fc from "fast-check";
import { COMMANDS, parseCommandLine } from "../../cli/command_line.ts";
import { helpText } from "../../cli/help.ts";
import { Mistake } from "../../cli/mistake.ts";

function refusal(...args: string[]): string {
  try {
    parseCommandLine(args);
  } catch (error) {
    assert.ok(error instanceof Mistake, `not a Mistake: ${error}`);
    assert.equal(error.status, 2);
    assert.ok(!error.message.includes("\n"));
    return error.message;
  }
  assert.fail(`accepted: ${args.join(" ")}`);
}

Deno.test("parseCommandLine() runs no command in particular when none is named", () => {
  assert.deepEqual(parseCommandLine([]), { kind: "run", command: null, flags: {} });
});

Deno.test("parseCommandLine() takes each command, and passes over a leading --", () => {
  for (const command of COMMANDS) {
    if (command === "config") continue;
    assert.deepEqual(parseCommandLine([command]), { kind: "run", command, flags: {} });
    assert.deepEqual(parseCommandLine(["--", command]), { kind: "run", command, flags: {} });
    assert.deepEqual(parseCommandLine([command, "--"]), { kind: "run", command, flags: {} });
  }
});

Deno.test("parseCommandLine() takes flags before and after the command, with a space or an equals sign", () => {
  const expected = { kind: "run", command: "serve", flags: { port: 9000, host: "localhost", open: true } };
  assert.deepEqual(parseCommandLine(["serve", "--port", "9000", "--host", "localhost", "--open"]), expected);
  assert.deepEqual(parseCommandLine(["--open", "--port=9000", "serve", "--host=localhost"]), expected);
});

Deno.test("parseCommandLine(): a flag that is not given is absent, never a default", () => {
  const line = parseCommandLine(["serve"]);
  assert.ok(line.kind === "run");
  assert.deepEqual(Object.keys(line.flags), []);
});

Deno.test("parseCommandLine() keeps an equals sign inside a value", () => {
  const line = parseCommandLine(["--model=ollama:qwen3@http://gpu:11434;effort=high"]);
  assert.ok(line.kind === "run");
  assert.equal(line.flags.model, "ollama:qwen3@http://gpu:11434;effort=high");
});

Deno.test("parseCommandLine() lets a system message start with one dash, but not swallow the next flag", () => {
  const line = parseCommandLine(["chat", "--system", "- be brief"]);
  assert.ok(line.kind === "run");
  assert.equal(line.flags.system, "- be brief");
  assert.match(refusal("chat", "--system", "--model"), /"--system" needs a value, not "--model"/);
});

Deno.test("parseCommandLine() hands the rest of a config command on as it is", () => {
  assert.deepEqual(parseCommandLine(["config", "init", "--path", "x", "--force"]), {
    kind: "config",
    args: ["init", "--path", "x", "--force"],
  });
  assert.deepEqual(parseCommandLine(["--config", "a.toml", "config", "check"]), {
    kind: "config",
    args: ["check", "--config", "a.toml"],
  });
  assert.match(refusal("--port", "1", "config", "check"), /"--port" means nothing to "config"/);
});

Deno.test("parseCommandLine() gives help and the version precedence over what stands beside them", () => {
  assert.deepEqual(parseCommandLine(["--help"]), { kind: "help", command: null });
  assert.deepEqual(parseCommandLine(["-h"]), { kind: "help", command: null });
  assert.deepEqual(parseCommandLine(["chat", "--help"]), { kind: "help", command: "chat" });
  assert.deepEqual(parseCommandLine(["config", "init", "--help"]), { kind: "help", command: "config" });
  assert.deepEqual(parseCommandLine(["--version"]), { kind: "version" });
});

Deno.test("parseCommandLine() refuses an unknown flag and names a near miss", () => {
  assert.equal(refusal("serve", "--prot", "1"), 'Unknown flag "--prot": did you mean "--port"?');
  assert.equal(refusal("--mdoel=x"), 'Unknown flag "--mdoel": did you mean "--model"?');
  assert.equal(refusal("-port"), 'Unknown flag "-port": did you mean "--port"?');
  assert.equal(refusal("--zzzzzzzz"), `Unknown flag "--zzzzzzzz": see ${MALAMA_COMMAND} --help`);
});

Deno.test("parseCommandLine() refuses an unknown command and names a near miss", () => {
  assert.equal(refusal("chta"), 'Unknown command "chta": did you mean "chat"?');
  assert.equal(refusal("frobnicate"), `Unknown command "frobnicate": see ${MALAMA_COMMAND} --help`);
});

Deno.test("parseCommandLine() refuses a second command", () => {
  assert.match(refusal("chat", "login"), /"chat" takes no argument "login"/);
});

Deno.test("parseCommandLine() takes the conversation to export, and its flags", () => {
  const flags = { conversation: "latest", full: true, format: "jsonl", output: "-", force: true };
  const expected = { kind: "run", command: "export", flags };
  assert.deepEqual(
    parseCommandLine(["export", "latest", "--full", "--format", "jsonl", "-o", "-", "--force"]),
    expected,
  );
  assert.deepEqual(
    parseCommandLine(["export", "--force", "--output=-", "--full", "--format=jsonl", "--conversation", "latest"]),
    expected,
  );
  assert.match(refusal("export", "latest", "other"), /"export" takes no argument "other"/);
  assert.match(refusal("export", "latest", "--conversation", "other"), /given twice/);
  assert.equal(refusal("export", "latest", "--format", "pdf"), '"--format" takes md or jsonl, not "pdf"');
  assert.match(refusal("export", "latest", "-o"), /"--output" needs a value/);
  assert.match(refusal("chat", "-o", "x"), /"--output" means nothing to "chat": it goes with export/);
});

Deno.test("parseCommandLine() refuses a flag twice, without its value, or with one it does not take", () => {
  assert.match(refusal("--port", "1", "--port", "2"), /given twice/);
  assert.match(refusal("--port"), /"--port" needs a value/);
  assert.match(refusal("--model="), /"--model" needs a value/);
  assert.match(refusal("--open=yes"), /takes no value/);
});

Deno.test("parseCommandLine() refuses a flag that means nothing to the command, naming where it belongs", () => {
  assert.equal(refusal("agents", "--port", "1"), '"--port" means nothing to "agents": it goes with serve, doctor');
  assert.match(refusal("serve", "--conversation", "latest"), /it goes with chat/);
});

for (const port of ["-1", "65536", "80.5", "eighty", "1e3", "0x50", " 80", "123456"]) {
  Deno.test(`parseCommandLine() refuses the port "${port}"`, () => {
    assert.match(refusal(`--port=${port}`), /whole number from 0 to 65535/);
  });
}

Deno.test("parseCommandLine() takes every port there is", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 65_535 }), (port) => {
    const line = parseCommandLine(["--port", String(port)]);
    return line.kind === "run" && line.flags.port === port;
  }));
});

Deno.test("parseCommandLine() either understands or refuses in one line, whatever it is given", () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom("--", "--port", "serve", "config", "--open", "-", "--=", "__proto__"),
  );
  fc.assert(fc.property(fc.array(word, { maxLength: 5 }), (args) => {
    try {
      parseCommandLine(args);
    } catch (error) {
      assert.ok(error instanceof Mistake);
    }
  }));
});

Deno.test("parseCommandLine() is not fooled by the names every object has", () => {
  assert.match(refusal("--toString"), /Unknown flag/);
  assert.match(refusal("--__proto__"), /Unknown flag/);
  assert.match(refusal("constructor"), /Unknown command/);
});

Deno.test("helpText() describes every command and every flag that is taken", () => {
  const general = helpText(null);
  for (const command of COMMANDS) {
    assert.match(general, new RegExp(`^  ${command} `, "m"));
    assert.match(helpText(command), new RegExp(`${MALAMA_COMMAND} \\[?${command}`));
  }
  for (
    const flag of ["config", "model", "system", "host", "port", "frontend", "open", "conversation", "help", "version"]
  ) {
    assert.ok(general.includes(`--${flag}`), flag);
  }
});

Deno.test("helpText() fits a terminal of 120 columns", () => {
  for (const command of [null, ...COMMANDS]) {
    for (const line of helpText(command).split("\n")) assert.ok(line.length <= 120, line);
  }
});
