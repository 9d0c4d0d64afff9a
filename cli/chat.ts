/**
 * `malama chat`: the terminal front end. It knows the wire and nothing else of the product, so what it shows is what a
 * page or a program would be told.
 *
 * Invariants (tests/cli/chat_test.ts pins each)
 * 1. Piped lines are answered one after the other; the process ends when the last turn has.
 * 2. `/stop` and `/diag` act at once, also while a turn runs (K-309).
 * 3. While a question waits, what a person types answers it; commands still work (B.1, B.2).
 * 4. The first interrupt stops what runs and the second leaves; when nothing runs the first one leaves.
 *
 * @module
 */
import type { Conversation } from "../core/log/mod.ts";
import { chatHelp, type ChatLine, readLine } from "./chat_commands.ts";
import { ChatSession } from "./chat_session.ts";
import { withoutControls } from "./control_filter.ts";
import { conversationList, findConversation } from "./conversation_choice.ts";
import { save } from "./export_command.ts";
import { Mistake } from "./mistake.ts";
import { type Attached, EFFORT_WORDS, pathOf } from "./next_message.ts";
import type { Terminal } from "./terminal.ts";
import { NotConnected, type Wire, WireError } from "./wire.ts";

export interface ChatOptions {
  readonly wire: Wire;
  readonly terminal: Terminal;
  /** `latest`, an id, or the first characters of one; absent begins a new conversation with the first message. */
  readonly conversation?: string;
  /** Model string of the conversations begun here. */
  readonly model?: string;
  /** Where paths that are typed begin, and what `~` stands for; this process's own by default. */
  readonly folders?: { readonly cwd: string; readonly home: string };
  readonly now?: () => Date;
  readonly pauses?: readonly [first: number, longest: number];
}

/** Talks until the person leaves or the input ends. Gives the exit status: 1 when the last piped message failed. */
export async function runChat(options: ChatOptions): Promise<number> {
  const { wire, terminal } = options;
  const session = new ChatSession({
    wire,
    screen: terminal,
    model: options.model,
    now: options.now ?? (() => new Date()),
    pauses: options.pauses,
  });
  const ticker = terminal.interactive ? setInterval(() => session.tick(), 1000) : undefined;
  try {
    if (options.conversation !== undefined) {
      const detail = await session.open(await findConversation(wire, options.conversation));
      if (options.model !== undefined) await wire.patch(`/api/conversations/${detail.id}`, { model: options.model });
    }
    return await new Chat(session, options).run();
  } finally {
    clearInterval(ticker);
    await session.close();
  }
}

class Chat {
  readonly #session: ChatSession;
  readonly #wire: Wire;
  readonly #terminal: Terminal;
  readonly #folders: { readonly cwd: string; readonly home: string };
  /** Lines are done one after the other. */
  #queue: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | null = null;
  #stopping = false;

  constructor(session: ChatSession, options: ChatOptions) {
    this.#session = session;
    this.#wire = options.wire;
    this.#terminal = options.terminal;
    this.#folders = options.folders ?? { cwd: Deno.cwd(), home: Deno.env.get("HOME") ?? Deno.cwd() };
  }

  async run(): Promise<number> {
    for await (const event of this.#terminal.events) {
      if (event.kind === "line") this.#take(readLine(event.text));
      else if (event.kind === "interrupt") {
        if (this.#leavesOnInterrupt()) return this.#session.busy ? 130 : 0;
      } else if (event.kind === "end") {
        if (this.#terminal.interactive) return 0;
        this.#queue.then(() => this.#leave());
      } else break;
    }
    if (this.#failure) throw this.#failure.error;
    return this.#session.failed && !this.#terminal.interactive ? 1 : 0;
  }

  /** The first interrupt stops what runs; `true` when this one leaves. */
  #leavesOnInterrupt(): boolean {
    if (!this.#session.busy || this.#stopping) return true;
    this.#stopping = true;
    this.#terminal.note("Stopping. Ctrl-C again leaves");
    this.#guard(this.#session.stop());
    this.#guard(
      this.#session.settled().then(() => {
        this.#stopping = false;
      }),
    );
    return false;
  }

  #leave(): void {
    this.#terminal.events.push({ kind: "leave" });
  }

  #take(line: ChatLine): void {
    const { interactive } = this.#terminal;
    if (line.kind === "message" && this.#session.questions.takesLines) {
      this.#guard(this.#session.questions.answer(line.text));
    } else if (line.kind === "message") {
      const shown = !interactive || !this.#session.busy;
      this.#enqueue(async () => {
        await this.#session.send(line.text, shown);
        if (!interactive) await this.#session.settled();
      });
    } else if (line.kind === "unknown") this.#terminal.note(line.advice);
    else if (line.kind === "command") {
      const act = () => this.#command(line);
      if (line.command === "stop" || line.command === "diag" || line.command === "help") this.#guard(act());
      else this.#enqueue(act);
    } else line.kind satisfies "blank";
  }

  async #command({ command, argument }: Extract<ChatLine, { kind: "command" }>): Promise<void> {
    const session = this.#session;
    const terminal = this.#terminal;
    switch (command) {
      case "help":
        return terminal.note(chatHelp(terminal.interactive));
      case "new":
        session.begin();
        return terminal.note("The next message begins a new conversation");
      case "stop":
        if (!await session.stop()) terminal.note("Nothing runs in this conversation");
        return;
      case "continue":
        await session.resume();
        return terminal.interactive ? undefined : await session.settled();
      case "diag": {
        const { describeDiagnostics } = await import("../core/turn/mod.ts");
        return terminal.note(withoutControls(describeDiagnostics(await this.#wire.get("/api/diagnostics"))));
      }
      case "conversations":
        return terminal.note(await conversationList(this.#wire, session.conversation));
      case "switch":
        return await this.#switch(argument);
      case "attach":
        return await this.#attach(argument);
      case "think":
        return this.#think(argument);
      case "export":
        return await this.#export(argument);
      case "quit":
        return this.#leave();
      default:
        command satisfies never;
    }
  }

  async #switch(argument: string): Promise<void> {
    const id = await findConversation(this.#wire, argument);
    if (id === this.#session.conversation) return this.#terminal.note("That is the conversation in view");
    const left = this.#session.busy ? ". The turn that runs in the other goes on, and is saved there" : "";
    const { title } = await this.#session.open(id);
    this.#terminal.note(`Now in "${withoutControls(title)}"${left}`);
  }

  async #attach(argument: string): Promise<void> {
    const { next } = this.#session;
    if (argument === "none") next.drop();
    else if (argument !== "") await next.attach(pathOf(argument, this.#folders));
    const names = next.attached.map(nameOf);
    this.#terminal.note(
      names.length === 0
        ? "Nothing goes with the next message. /attach PATH adds a picture or a text file"
        : `With the next message: ${names.join(", ")}. /attach none lets go`,
    );
  }

  #think(argument: string): void {
    const { next } = this.#session;
    if (argument !== "" && !next.think(argument)) {
      return this.#terminal.note(
        `There is no effort "${withoutControls(argument)}": choose ${EFFORT_WORDS.slice(0, -1).join(", ")} or ${
          EFFORT_WORDS.at(-1)
        }`,
      );
    }
    this.#terminal.note(`Effort: ${next.effort}`);
  }

  async #export(argument: string): Promise<void> {
    const id = this.#session.conversation;
    if (id === null) return this.#terminal.note("There is nothing to export yet: say something first");
    const format = /\.jsonl$/i.test(argument) || argument === "jsonl" ? "jsonl" : "md";
    const full = format === "jsonl";
    const isName = argument !== "" && argument !== "md" && argument !== "jsonl";
    const { exportName } = await import("../core/conversation/mod.ts");
    const address = `/api/conversations/${id}`;
    const name = isName ? argument : exportName(await this.#wire.get<Conversation>(address), format, full).name;
    const path = pathOf(name, this.#folders);
    const bytes = await save(this.#wire.file(`${address}/export?format=${format}&full=${full}`), path, false);
    this.#terminal.note(`Wrote ${withoutControls(path)}, ${bytes.toLocaleString("en")} bytes`);
  }

  #enqueue(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(() => this.#guard(work()));
  }

  /** Refusals are told and the chat goes on; a fault ends it. */
  async #guard(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (error instanceof WireError || error instanceof NotConnected || error instanceof Mistake) {
        return this.#terminal.note(withoutControls(error.message));
      }
      this.#failure ??= { error };
      this.#leave();
    }
  }
}

function nameOf({ name, bytes }: Attached): string {
  return `${withoutControls(name)} (${
    bytes < 1000 ? `${bytes} B` : `${Math.round(bytes / 1000).toLocaleString("en")} kB`
  })`;
}
