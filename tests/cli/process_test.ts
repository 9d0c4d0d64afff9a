/** The product from outside: real processes, signals, pipes and a real terminal. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runMalama, serveMalama, withHome, withServer } from "./product.ts";

Deno.test("malama serve on a fresh machine writes its configuration, says so, and serves until SIGTERM", () =>
  withHome(async (home) => {
    const served = await serveMalama({ home });
    const health = await fetch(`${served.url}/healthz`);
    assert.deepEqual(await health.json(), { status: "ok", version: "0.1.0", ready: true });
    const { code, stdout, stderr } = await served.stop();
    assert.equal(code, 0);
    assert.match(stderr, /There was no configuration yet: wrote .*config\.toml\n/);
    assert.match(stdout, /Model +demo:tour +\(from MALAMA_MODEL\)/);
    assert.match(stdout, new RegExp(`Data +${join(home, "data")}`));
    assert.match(await Deno.readTextFile(join(home, "data", "logs", "malama.log")), /INFO {5}start +closed\n$/);
  }));

Deno.test("malama serve prints a login link that opens the page once", () =>
  withServer(async (served) => {
    const first = await fetch(served.loginUrl, { redirect: "manual" });
    await first.body?.cancel();
    assert.ok(first.status === 302 || first.status === 303);
    assert.match(first.headers.get("set-cookie") ?? "", /HttpOnly/);
    const second = await fetch(served.loginUrl, { redirect: "manual" });
    await second.body?.cancel();
    assert.equal(second.headers.get("set-cookie"), null);
  }));

Deno.test("malama serve refuses a data folder that another one holds, naming its process", () =>
  withServer(async (served, home) => {
    const { code, stderr } = await runMalama(["serve", "--port", "0"], { home });
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`^[^\n]*process ${served.pid}[^\n]*\n$`));
  }));

Deno.test("malama serve tells once that its model cannot start", () =>
  withHome(async (home) => {
    const { code, stderr } = await runMalama(["serve", "--port", "0"], { home, env: { MALAMA_MODEL: "demo:nope" } });
    assert.equal(code, 1);
    assert.equal(stderr.match(/"demo:nope" is not a model/g)?.length, 1, stderr);
  }));

Deno.test("malama serve closes cleanly though one Ctrl-C arrives twice", () =>
  withHome(async (home) => {
    const served = await serveMalama({ home });
    served.kill("SIGINT");
    served.kill("SIGINT");
    assert.equal((await served.ended).code, 0);
    assert.match(await Deno.readTextFile(join(home, "data", "logs", "malama.log")), /INFO {5}start +closed\n$/);
  }));

Deno.test("malama serve leaves the folder free when it is killed", () =>
  withHome(async (home) => {
    const first = await serveMalama({ home });
    first.kill("SIGKILL");
    await first.ended;
    const second = await serveMalama({ home });
    assert.equal((await second.stop()).code, 0);
  }));

Deno.test("malama login, agents, models and doctor speak to the server that holds the folder", () =>
  withServer(async (served, home) => {
    const login = await runMalama(["login"], { home });
    assert.match(login.stdout, new RegExp(`^${served.url}/login\\?code=\\S+\n$`));
    const page = await fetch(login.stdout.trim(), { redirect: "manual" });
    await page.body?.cancel();
    assert.match(page.headers.get("set-cookie") ?? "", /HttpOnly/);
    assert.match((await runMalama(["agents"], { home })).stdout, /^assistant {3}\(the one you talk to\)/);
    assert.match((await runMalama(["models"], { home })).stdout, /^demo:tour/m);
    const doctor = await runMalama(["doctor", "--port", "0"], { home });
    assert.match(doctor.stdout, new RegExp(`store +in use by process ${served.pid} at ${served.url}, healthy`));
  }));

Deno.test("malama chat answers a pipe by itself, in plain text, and ends with it", () =>
  withHome(async (home) => {
    const { code, stdout } = await runMalama(["chat"], { home, stdin: "What is 17*23?\n" });
    assert.equal(code, 0);
    assert.match(stdout, /^ {2}coder#1 {2}tool {2}calculate {2}17\*23 … .*391/m);
    assert.match(stdout, /demo:tour · \d+ calls? · .* · no cost\n$/);
    assert.ok(!stdout.includes("\u001b"));
  }));

Deno.test("malama chat talks to the server that holds the folder, and goes on where it was", () =>
  withServer(async (served, home) => {
    const first = await runMalama(["chat"], { home, stdin: "What is 17*23?\n" });
    assert.match(first.stdout, /391/, `exit ${first.code}: ${first.stderr}`);
    const second = await runMalama(["chat", "--conversation", "latest"], { home, stdin: "What is 2+3?\n" });
    assert.equal(second.code, 0, second.stderr);
    assert.match(second.stdout, /^you {2}What is 17\*23\?[\s\S]*391[\s\S]*2\+3/);
    const list = await fetch(`${served.url}/api/conversations`, {
      headers: { authorization: `Bearer ${served.token}` },
    });
    const { items } = await list.json();
    assert.deepEqual(items.map(({ turns }: { turns: number }) => turns), [2]);
  }));

Deno.test("malama chat ends quietly when the reader of its output goes", () =>
  withHome(async (home) => {
    const script = `printf 'What is 1+1?\\nWhat is 2+2?\\n' | "$0" "$@" | head -n 1`;
    const { code, stderr } = await shell(script, ["chat"], home);
    assert.equal(code, 0);
    assert.doesNotMatch(stderr, /fault|\bat /);
  }));

Deno.test("malama chat edits lines in a real terminal, and colours nothing when NO_COLOR is set", () =>
  withHome(async (home) => {
    const terminal = openPty(["chat"], home, { TERM: "xterm", NO_COLOR: "1" });
    await terminal.until("> ");
    terminal.type("What is 6*8\u007f7?\r");
    await terminal.until("no cost");
    terminal.type("\u001b[200~/not a command\nbut two lines\u001b[201~\r");
    await terminal.until("no cost");
    terminal.type("\u0003");
    assert.equal(await terminal.ended, 0);
    assert.match(terminal.all(), /tool {2}calculate {2}6\*7 … .*42/);
    assert.match(terminal.all(), /not a command but two lines” is beyond me/);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(terminal.all(), /\u001b\[[0-9;]+m/);
  }));

Deno.test("malama chat stops a turn on Ctrl-C in a real terminal, stays, and leaves on Ctrl-D", () =>
  withHome(async (home) => {
    const terminal = openPty(["chat", "--model", "demo:tour;tps=5"], home, { TERM: "xterm" });
    await terminal.until("> ");
    terminal.type("What can you do here?\r");
    await terminal.until("thought");
    terminal.type("\u0003");
    await terminal.until("Stopping");
    await terminal.until("You stopped this turn");
    await terminal.until("> ");
    terminal.type("\u0004");
    assert.equal(await terminal.ended, 0);
  }));

Deno.test("malama chat asks in a real terminal before a gated call runs, and takes y and a reason there (B.1)", () =>
  withHome(async (home) => {
    await Deno.writeTextFile(
      join(home, "config.toml"),
      `[agents.assistant]\ndescription = "Answers"\n\n[agents.assistant.tools]\navailable = ["compute"]\n` +
        `confirm = ["compute.calculate"]\nreview = []\n`,
    );
    const terminal = openPty(["chat"], home, { TERM: "xterm", NO_COLOR: "1" });
    await terminal.until("> ");
    terminal.type("What is 17*23?\r");
    await terminal.until("waiting for you  assistant asks to run calculate, of the toolset compute");
    await terminal.until('"17*23"');
    await terminal.until("y allows it once");
    terminal.type("y\r");
    await terminal.until("You allowed calculate");
    await terminal.until("no cost");
    terminal.type("What is 6*7?\r");
    await terminal.until("y allows it once");
    terminal.type("do it in your head\r");
    await terminal.until("You denied calculate: “do it in your head”");
    await terminal.until("no cost");
    terminal.type("\u0004");
    assert.equal(await terminal.ended, 0);
    assert.match(terminal.all(), /tool {2}calculate {2}17\*23 … .*391/);
  }));

/** Runs a shell script in which `"$0" "$@"` is the product. */
async function shell(
  script: string,
  args: readonly string[],
  home: string,
  env: Readonly<Record<string, string>> = {},
) {
  const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
  const { code, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", script, Deno.execPath(), "run", "-A", "--no-check", "--quiet", main, ...args],
    env: { MALAMA_HOME: home, MALAMA_MODEL: "demo:tour", ...env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** The product in a terminal made by `script`. */
function openPty(args: readonly string[], home: string, env: Readonly<Record<string, string>>) {
  const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
  const command = [Deno.execPath(), "run", "-A", "--no-check", "--quiet", main, ...args];
  const child = new Deno.Command("script", {
    args: ["-qec", command.map((word) => `'${word}'`).join(" "), "/dev/null"],
    env: { MALAMA_HOME: home, MALAMA_MODEL: "demo:tour", ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const keys = child.stdin.getWriter();
  let all = "";
  let seen = 0;
  let wake = () => {};
  const read = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      all += text;
      wake();
    }
    wake();
  })();
  const deadline = setTimeout(() => child.kill("SIGKILL"), 30_000);
  const ended = Promise.all([child.status, read]).then(async ([{ code }]) => {
    clearTimeout(deadline);
    await keys.close().catch(() => {});
    return code;
  });
  let over = false;
  ended.then(() => {
    over = true;
    wake();
  });
  return {
    ended,
    all: () => all,
    type: (text: string) => void keys.write(new TextEncoder().encode(text)),
    /** Waits until this is printed after what was waited for before. */
    async until(text: string): Promise<void> {
      while (true) {
        const at = all.indexOf(text, seen);
        if (at !== -1) {
          seen = at + text.length;
          return;
        }
        assert.ok(!over, `"${text}" never came; printed: ${JSON.stringify(all)}`);
        await new Promise<void>((resolve) => wake = resolve);
      }
    },
  };
}
