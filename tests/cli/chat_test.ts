import assert from "node:assert/strict";
import { runChat } from "../../cli/chat.ts";
import { Mistake } from "../../cli/mistake.ts";
import { Wire } from "../../cli/wire.ts";
import { FakeServer, type Reply, type TurnScript } from "./fake_server.ts";
import { ScriptedTerminal } from "./scripted_terminal.ts";

const PAUSES = [5, 20] as const;

interface Talk {
  server: FakeServer;
  readonly terminal: ScriptedTerminal;
  /** The exit status. */
  readonly done: Promise<number>;
}

interface TalkOptions {
  readonly interactive?: boolean;
  readonly conversation?: string;
  readonly model?: string;
  readonly prepare?: (server: FakeServer) => Promise<void> | void;
}

async function withTalk(reply: Reply, options: TalkOptions, run: (talk: Talk) => Promise<void>): Promise<void> {
  const server = new FakeServer({ reply });
  await options.prepare?.(server);
  const terminal = new ScriptedTerminal(options.interactive ?? false);
  const talk: Talk = { server, terminal, done: Promise.resolve(0) };
  const wire = new Wire(server.address, () => Promise.resolve(talk.server.address));
  const done = runChat({ wire, terminal, conversation: options.conversation, model: options.model, pauses: PAUSES });
  done.catch(() => {});
  try {
    await run(Object.assign(talk, { done }));
  } finally {
    terminal.events.push({ kind: "leave" });
    await done.catch(() => {});
    await talk.server.close();
  }
}

const echo: Reply = (turn) => {
  turn.say(`You said ${turn.message}`);
  return {};
};

/** Answers a little, then waits to be stopped. */
const endless: Reply = async (turn) => {
  const seq = turn.add("text", { text: "" }, "open");
  turn.server.delta(seq, 0, "Going on");
  await new Promise((resolve) => turn.stopped.signal.addEventListener("abort", resolve));
  turn.server.finish(seq, { text: "Going on" });
  return { status: "stopped" };
};

Deno.test("runChat() answers piped lines one after the other and ends when the last turn has", () =>
  withTalk(echo, {}, async ({ terminal, done, server }) => {
    terminal.type("one", "", "two");
    terminal.end();
    assert.equal(await done, 0);
    assert.match(terminal.out, /^You said one\n\ndemo:echo .*\n\n?You said two\n\ndemo:echo .*\n$/);
    assert.equal(server.store.conversations.size, 1);
  }));

Deno.test("runChat() waits for the end of a turn before it sends the next piped line", () => {
  const order: string[] = [];
  const reply: Reply = async (turn) => {
    order.push(`start ${turn.message}`);
    await Promise.resolve();
    turn.say("Yes");
    order.push(`end ${turn.message}`);
    return {};
  };
  return withTalk(reply, {}, async ({ terminal, done }) => {
    terminal.type("a", "b", "c");
    terminal.end();
    await done;
    assert.deepEqual(order, ["start a", "end a", "start b", "end b", "start c", "end c"]);
  });
});

Deno.test("runChat() begins no conversation when nothing is said", () =>
  withTalk(echo, {}, async ({ terminal, done, server }) => {
    terminal.type("  ", "/help");
    terminal.end();
    assert.equal(await done, 0);
    assert.equal(server.store.conversations.size, 0);
    assert.match(terminal.notes, /\/stop +stop the turn that runs/);
  }));

Deno.test("runChat() exits 1 when the last piped turn failed, and says why", () =>
  withTalk(() => ({ status: "failed", failure: "The model did not answer" }), {}, async ({ terminal, done }) => {
    terminal.type("hello");
    terminal.end();
    assert.equal(await done, 1);
    assert.match(terminal.out, /failed {2}The model did not answer/);
  }));

Deno.test("runChat() exits 1 when the server would not take the last piped message", () =>
  withTalk(echo, {}, async ({ terminal, done, server }) => {
    terminal.type("hello");
    await terminal.until(({ out }) => out.includes("no cost"), "answered");
    server.store.conversations.clear();
    terminal.type("and now?");
    terminal.end();
    assert.equal(await done, 1);
    assert.match(terminal.notes, /it may have been deleted/);
  }));

Deno.test("runChat() stops a piped turn at once on /stop", () =>
  withTalk(endless, {}, async ({ terminal, done }) => {
    terminal.type("go");
    await terminal.until(({ out }) => out.includes("Going on"), "streamed");
    terminal.type("/stop");
    terminal.end();
    assert.equal(await done, 0);
    assert.match(terminal.out, /^Going on\n\nstopped/);
  }));

Deno.test("runChat() answers /diag while a turn runs", () =>
  withTalk(endless, {}, async ({ terminal }) => {
    terminal.type("go");
    await terminal.until(({ out }) => out.includes("Going on"), "streamed");
    terminal.type("/diag");
    await terminal.until(({ notes }) => notes.includes("Model: demo:echo"), "answered");
  }));

Deno.test("runChat() stops a turn on the first interrupt and leaves on the second", () =>
  withTalk(
    (turn) => new Promise(() => turn.add("notice", { text: "Wedged", level: "info" })),
    { interactive: true },
    async (
      { terminal, done, server },
    ) => {
      terminal.type("go");
      await terminal.until(({ out }) => out.includes("Wedged"), "begun");
      terminal.interrupt();
      await terminal.until(({ notes }) => notes.includes("Stopping. Ctrl-C again leaves"), "told");
      terminal.interrupt();
      assert.equal(await done, 130);
      assert.ok(server.posts.some(({ path }) => path.endsWith("/stop")));
    },
  ));

Deno.test("runChat() leaves on the first interrupt when nothing runs", () =>
  withTalk(echo, { interactive: true }, async ({ terminal, done }) => {
    terminal.interrupt();
    assert.equal(await done, 0);
  }));

Deno.test("runChat() stops each turn anew: an interrupt counts for the turn that runs", () =>
  withTalk(endless, { interactive: true }, async ({ terminal, done }) => {
    for (const times of [1, 2]) {
      terminal.type("go");
      await terminal.until(({ out }) => out.split("Going on").length > times, "begun");
      terminal.interrupt();
      await terminal.until(({ out, status }) => out.split("stopped  ").length > times && status === null, "stopped");
    }
    terminal.type("/quit");
    assert.equal(await done, 0);
  }));

Deno.test("runChat() leaves at the end of the input of a person, though a turn runs", () =>
  withTalk(endless, { interactive: true }, async ({ terminal, done }) => {
    terminal.type("go");
    await terminal.until(({ out }) => out.includes("Going on"), "begun");
    terminal.end();
    assert.equal(await done, 0);
  }));

Deno.test("runChat() shows what runs, and for how long, while it does", () =>
  withTalk(endless, { interactive: true }, async ({ terminal }) => {
    terminal.type("go");
    await terminal.until(({ status }) => /^Working, 0:0\d$/.test(status ?? ""), "working");
    terminal.type("/stop");
    await terminal.until(({ status }) => status === null, "at rest");
  }));

Deno.test("runChat() begins another conversation after /new, with the model asked for", () =>
  withTalk(echo, { model: "demo:echo" }, async ({ terminal, done, server }) => {
    terminal.type("one", "/new", "two");
    terminal.end();
    await done;
    assert.equal(server.store.conversations.size, 2);
    assert.deepEqual([...server.store.conversations.values()].map(({ model }) => model), ["demo:echo", "demo:echo"]);
  }));

Deno.test("runChat() goes on with the latest conversation, showing its last turn", () =>
  withTalk(echo, { conversation: "latest", prepare: talked("first", "second") }, async ({ terminal, done, server }) => {
    terminal.type("third");
    terminal.end();
    await done;
    assert.match(terminal.out, /^you {2}second\n\nYou said second\n[\s\S]*You said third\n/);
    assert.doesNotMatch(terminal.out, /first/);
    assert.equal(server.store.conversations.size, 1);
  }));

Deno.test("runChat() refuses to go on where there is no conversation, or none with that id", () =>
  withTalk(echo, { conversation: "latest" }, async ({ done }) => {
    await assert.rejects(done, (error) => error instanceof Mistake && /no conversation yet/.test(error.message));
  }).then(() =>
    withTalk(echo, { conversation: "01ZZZZZZ" }, async ({ done }) => {
      await assert.rejects(done, /starts with "01ZZZZZZ"/);
    })
  ));

Deno.test("runChat() lists conversations and switches by the start of an id, refusing short and ambiguous ones", () =>
  withTalk(echo, { interactive: true }, async ({ terminal, server }) => {
    terminal.type("one", "/new", "two");
    await terminal.until(({ out, status }) => out.includes("You said two") && status === null, "answered");
    const [first, second] = [...server.store.conversations.keys()];
    terminal.type("/conversations");
    await terminal.until(({ notes }) => notes.includes(`* ${second}`), "listed");
    terminal.type("/switch 01C", "/switch 01CONV");
    await terminal.until(({ notes }) => /could be any of 2: 01CONV/.test(notes), "refused");
    assert.match(terminal.notes, /"01C" is too short/);
    terminal.type(`/switch ${second}`, `/switch ${first}`);
    await terminal.until(({ notes }) => notes.includes('Now in "New conversation"'), "switched");
    assert.match(terminal.notes, /That is the conversation in view/);
    assert.match(terminal.out, /you {2}one\n\nYou said one/);
  }));

Deno.test("runChat() goes on after a failed turn with /continue", () => {
  let tries = 0;
  const reply: Reply = (turn) => {
    if (++tries === 1) return { status: "failed", failure: "Overloaded" };
    turn.say("Here it is");
    return {};
  };
  return withTalk(reply, {}, async ({ terminal, done }) => {
    terminal.type("go", "/continue");
    terminal.end();
    assert.equal(await done, 0);
    assert.match(terminal.out, /Overloaded[\s\S]*Here it is\n/);
  });
});

Deno.test("runChat() tells what the server refuses and goes on", () =>
  withTalk(echo, {}, async ({ terminal, done }) => {
    terminal.type("/continue", "/frobnicate", "hello", "/continue");
    terminal.end();
    assert.equal(await done, 0);
    assert.match(terminal.notes, /There is nothing to go on with yet/);
    assert.match(terminal.notes, /There is no \/frobnicate/);
    assert.match(terminal.notes, /The last turn has nothing to go on with/);
    assert.match(terminal.out, /You said hello/);
  }));

Deno.test("runChat() sends a message once, though the answer to it was lost", () =>
  withTalk(echo, {}, async ({ terminal, done, server }) => {
    terminal.type("one");
    await terminal.until(({ out }) => out.includes("You said one"), "answered");
    server.dropAnswers = 2;
    terminal.type("two");
    server.cut();
    terminal.end();
    assert.equal(await done, 0);
    assert.equal(server.store.turns.length, 2);
    assert.equal(terminal.out.split("You said two").length, 2);
  }));

Deno.test("runChat() draws a streamed answer once, though the live socket is cut at every piece", () => {
  const text = "A longer answer, so that there are many places to cut it.";
  const reply: Reply = async (turn: TurnScript) => {
    const seq = turn.add("text", { text: "" }, "open");
    for (const [at, letter] of [...text].entries()) {
      turn.server.delta(seq, at, letter);
      if (at % 7 === 3) turn.server.cut();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    turn.server.finish(seq, { text });
    return {};
  };
  return withTalk(reply, {}, async ({ terminal, done }) => {
    terminal.type("go");
    terminal.end();
    assert.equal(await done, 0);
    assert.ok(terminal.out.startsWith(`${text}\n\ndemo:echo`), terminal.out);
  });
});

Deno.test("runChat() is not led astray by an answer that was overtaken by what was announced", () => {
  const asked = Promise.withResolvers<void>();
  const overtaken = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const reply: Reply = async (turn) => {
    turn.say(`First half of ${turn.message}. `);
    if (turn.message === "two") await finish.promise;
    turn.say("Second half");
    return {};
  };
  return withTalk(reply, {}, async ({ terminal, done, server }) => {
    terminal.type("one");
    await terminal.until(({ out }) => out.includes("no cost"), "answered");
    // What is asked after the reconnect is answered with the path as it is now, but only when the next turn has begun.
    server.late = () => {
      asked.resolve();
      return overtaken.promise;
    };
    server.cut();
    await asked.promise;
    server.late = null;
    terminal.type("two");
    await terminal.until(({ out }) => out.includes("First half of two"), "begun");
    overtaken.resolve();
    for (const n of [1, 2, 3, 4, 5, 6]) {
      // Each goes there and back, so that the answer has been taken in by then.
      terminal.type("/diag");
      await terminal.until(({ notes }) => notes.split("Model: demo:echo").length > n, "answered");
    }
    finish.resolve();
    terminal.end();
    assert.equal(await done, 0);
    assert.match(terminal.out, /First half of two\. \n\n?Second half\n\ndemo:echo[^\n]*\n$/);
  }).finally(() => {
    overtaken.resolve();
    finish.resolve();
  });
});

Deno.test("runChat() says once that the server is gone, keeps what is sent, and delivers it when it is back", () =>
  withTalk(echo, {}, async (talk) => {
    const { terminal } = talk;
    terminal.type("one");
    await terminal.until(({ out }) => out.includes("no cost"), "answered");
    const { store } = talk.server;
    await talk.server.close();
    await terminal.until(({ notes }) => notes.includes("Not connected"), "noticed");
    terminal.type("two");
    terminal.end();
    talk.server = new FakeServer({ reply: echo, store });
    assert.equal(await talk.done, 0);
    assert.match(terminal.out, /You said one[\s\S]*You said two/);
    assert.equal(terminal.notes.split("Not connected").length, 2);
    assert.match(terminal.notes, /Connected again/);
    assert.equal(store.turns.length, 2);
  }));

Deno.test("runChat() shows what another client says in the same conversation", () =>
  withTalk(echo, { interactive: true }, async ({ terminal, server }) => {
    terminal.type("one");
    await terminal.until(({ out }) => out.includes("You said one"), "answered");
    const [id] = server.store.conversations.keys();
    const other = new Wire(server.address, () => Promise.resolve(server.address));
    await other.post(`/api/conversations/${id}/messages`, { text: "from the page", token: "other" });
    await terminal.until(({ out }) => out.includes("You said from the page"), "seen");
    assert.match(terminal.out, /you {2}from the page\n/);
  }));

Deno.test("runChat() prints alerts and errors of the live socket as plain lines, and ignores what it does not know", () =>
  withTalk(echo, { interactive: true }, async ({ terminal, server }) => {
    terminal.type("one");
    await terminal.until(({ out }) => out.includes("You said one"), "answered");
    server.tell({ op: "alert", text: "The task ran\u001b[2J", level: "info" });
    server.tell({ op: "something_new", data: 1 });
    server.tell({ op: "error", title: "Refused", detail: "No such graph" });
    await terminal.until(({ notes }) => notes.includes("No such graph"), "told");
    assert.equal(terminal.notes, "The task ran\nNo such graph\n");
  }));

Deno.test("runChat() begins anew when the conversation in view was deleted elsewhere", () =>
  withTalk(echo, { interactive: true }, async ({ terminal, server }) => {
    terminal.type("one");
    await terminal.until(({ out, status }) => out.includes("You said one") && status === null, "answered");
    const [id] = server.store.conversations.keys();
    server.tell({ op: "conversation_removed", conversation: id! });
    await terminal.until(({ notes }) => notes.includes("deleted elsewhere"), "told");
    terminal.type("two");
    await terminal.until(({ out }) => out.includes("You said two"), "answered");
    assert.equal(server.store.conversations.size, 2);
  }));

for (const when of ["ends before its entries are read", "still runs then"]) {
  Deno.test(`runChat() opens a conversation just as a turn begins in it that ${when}, and prints it once`, async () => {
    const opened = Promise.withResolvers<void>();
    const reply: Reply = async (turn) => {
      const seq = turn.add("text", { text: "" }, "open");
      turn.server.delta(seq, 0, `Heard ${turn.message}`);
      if (turn.message === "two" && when === "still runs then") await opened.promise;
      turn.server.finish(seq, { text: `Heard ${turn.message}` });
      return {};
    };
    let began = false;
    // The path was read without the turn; it begins before the entries are asked for.
    const prepare = async (server: FakeServer) => {
      await talked("one")(server);
      server.late = async () => {
        if (began) return;
        began = true;
        const wire = new Wire(server.address, () => Promise.resolve(server.address));
        const [id] = server.store.conversations.keys();
        await wire.post(`/api/conversations/${id}/messages`, { text: "two", token: "elsewhere" });
      };
    };
    await withTalk(reply, { interactive: true, conversation: "latest", prepare }, async ({ terminal, server }) => {
      await terminal.until(({ out }) => out.includes("Heard two"), "streamed");
      opened.resolve();
      await terminal.until(({ out, status }) => out.split("no cost").length === 3 && status === null, "ended");
      assert.match(terminal.out, /one\n+Heard one\n+demo:echo .*\n+.*two\n+Heard two\n+demo:echo .*\n$/);
      assert.equal(server.store.turns.length, 2);
    });
  });
}

/** A conversation that has these turns already. */
function talked(...messages: string[]): (server: FakeServer) => Promise<void> {
  return async (server) => {
    const wire = new Wire(server.address, () => Promise.resolve(server.address));
    const { id } = await wire.post<{ id: string }>("/api/conversations", {});
    for (const [n, text] of messages.entries()) {
      await wire.post(`/api/conversations/${id}/messages`, { text, token: `before-${n}` });
    }
  };
}

Deno.test("runChat() sends the effort asked for with each message, and refuses one there is none of (K-295)", () =>
  withTalk(echo, {}, async ({ terminal, done, server }) => {
    terminal.type("/think", "/think high", "/think enormous", "one", "/think default", "two");
    terminal.end();
    assert.equal(await done, 0);
    assert.deepEqual(server.store.asked.map(({ thinking }) => thinking), ["high", undefined]);
    assert.match(terminal.notes, /Effort: default\nEffort: high\nThere is no effort "enormous": choose .*high$/m);
  }));

Deno.test("runChat() tells of a file that is not there, and of an export of nothing", () =>
  withTalk(echo, {}, async ({ terminal, done }) => {
    terminal.type("/attach", "/attach /nowhere/at-all.png", "/export");
    terminal.end();
    assert.equal(await done, 0);
    const [nothing, missing, empty] = terminal.notes.split("\n");
    assert.match(nothing!, /^Nothing goes with the next message/);
    assert.match(missing!, /^There is no file "\/nowhere\/at-all\.png"$/);
    assert.match(empty!, /^There is nothing to export yet/);
  }));
