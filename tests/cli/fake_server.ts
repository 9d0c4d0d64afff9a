/**
 * A small server that speaks the wire of API.md from memory: conversations, messages, stop, and the live socket.
 *
 * @module
 */
import type {
  ApprovalData,
  Conversation,
  Entry,
  EntryData,
  EntryKind,
  LogOperation,
  Turn,
} from "../../core/log/mod.ts";
import { USAGE } from "./scripted_log.ts";

const TOKEN = "the-token";

/** Plays one turn: add entries, wait for what it likes, and return how it ended. */
export type Reply = (turn: TurnScript) => Promise<Partial<Turn>> | Partial<Turn>;

export interface FakeServerOptions {
  readonly reply: Reply;
  readonly port?: number;
  /** What an earlier server had stored, so that a restart keeps it. */
  readonly store?: FakeStore;
}

export class FakeStore {
  readonly conversations = new Map<string, Conversation>();
  readonly turns: Turn[] = [];
  readonly entries: Entry[] = [];
  /** The bodies of the messages that were taken. */
  readonly asked: Readonly<Record<string, unknown>>[] = [];
}

/** What a reply may do to its turn. */
export class TurnScript {
  readonly stopped = new AbortController();
  constructor(readonly server: FakeServer, readonly turn: Turn, readonly message: string) {}

  add<K extends EntryKind>(kind: K, data: EntryData[K], state: "open" | "done" = "done"): number {
    return this.server.append(this.turn, kind, data, state);
  }

  say(text: string): void {
    const seq = this.add("text", { text: "" }, "open");
    [...text].forEach((letter, at) => this.server.delta(seq, at, letter));
    this.server.finish(seq, { text });
  }
}

export class FakeServer {
  readonly posts: { readonly path: string; readonly body: Record<string, unknown> }[] = [];
  readonly store: FakeStore;
  /** What an answer to a question is answered with; by default it is taken, and the question closed. */
  onAnswer: ((seq: number, body: Record<string, unknown>) => Response | null) | null = null;
  /** How many requests to come are dropped after they were taken in, as when a connection breaks. */
  dropAnswers = 0;
  /** Awaited before an answer about a conversation goes out, when it is made already. */
  late: (() => Promise<void>) | null = null;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #sockets = new Set<WebSocket>();
  readonly #watching = new Map<WebSocket, Set<string>>();
  readonly #running = new Map<string, TurnScript>();
  readonly #reply: Reply;

  constructor(options: FakeServerOptions) {
    this.#reply = options.reply;
    this.store = options.store ?? new FakeStore();
    this.#server = Deno.serve(
      {
        hostname: "127.0.0.1",
        port: options.port ?? 0,
        onListen() {},
        onError: () => new Response(null, { status: 500 }),
      },
      (request) => this.#handle(request),
    );
  }

  get port(): number {
    return this.#server.addr.port;
  }

  get address(): { readonly url: string; readonly token: string } {
    return { url: `http://127.0.0.1:${this.port}`, token: TOKEN };
  }

  /** Cuts every live socket. */
  cut(): void {
    for (const socket of this.#sockets) socket.close(1013);
  }

  async close(): Promise<void> {
    this.cut();
    for (const script of this.#running.values()) script.stopped.abort();
    await this.#server.shutdown();
  }

  append<K extends EntryKind>(turn: Turn, kind: K, data: EntryData[K], state: "open" | "done"): number {
    const seq = this.store.entries.filter((each) => each.conversation === turn.conversation).length + 1;
    const entry = {
      conversation: turn.conversation,
      seq,
      turn: turn.id,
      run: null,
      parent_run: null,
      kind,
      state,
      at: new Date().toISOString(),
      data,
    } as Entry;
    this.store.entries.push(entry);
    this.tell({ op: "entries", conversation: turn.conversation, items: [entry], last_seq: seq });
    return seq;
  }

  delta(seq: number, at: number, text: string): void {
    const entry = this.#update(
      seq,
      (old) => ({ ...old, data: { ...old.data, text: this.#text(old) + text } } as Entry),
    );
    this.tell({ op: "delta", conversation: entry.conversation, seq, at, text });
  }

  finish(seq: number, data: EntryData[EntryKind]): void {
    const entry = this.#update(seq, (old) => ({ ...old, state: "done", data } as Entry));
    this.tell({ op: "patch", conversation: entry.conversation, seq, state: "done", data });
  }

  tell(operation: LogOperation | { readonly op: string; readonly [key: string]: unknown }): void {
    for (const [socket, conversations] of this.#watching) {
      const about = "conversation" in operation ? operation.conversation : null;
      if (typeof about === "string" && !conversations.has(about)) continue;
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(operation));
    }
  }

  #text(entry: Entry): string {
    return entry.kind === "text" || entry.kind === "thinking" ? entry.data.text : "";
  }

  #update(seq: number, change: (entry: Entry) => Entry): Entry {
    const index = this.store.entries.findLastIndex((entry) => entry.seq === seq);
    return this.store.entries[index] = change(this.store.entries[index]!);
  }

  async #handle(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (request.headers.get("authorization") !== `Bearer ${TOKEN}`) return problem(401, "Not signed in");
    if (pathname === "/live") return this.#live(request);
    const body = request.method === "GET" ? {} : await request.json();
    if (request.method !== "GET") this.posts.push({ path: `${request.method} ${pathname}`, body });
    const answer = this.#answer(request.method, pathname, { ...body, after: searchParams.get("after") ?? 0 });
    if (request.method !== "GET" && this.dropAnswers > 0) {
      this.dropAnswers--;
      return new Response(new ReadableStream({ pull: (body) => body.error(new Error("The answer is lost")) }));
    }
    if (request.method === "GET" && /^\/api\/conversations\/[^/]+$/.test(pathname)) await this.late?.();
    return answer;
  }

  #answer(method: string, path: string, body: Record<string, unknown>): Response {
    const [, , , id, part] = path.split("/");
    if (path === "/api/conversations" && method === "GET") {
      return Response.json({ items: [...this.store.conversations.values()].reverse(), next: null });
    }
    if (path === "/api/conversations") return Response.json(this.#create(body), { status: 201 });
    if (path === "/api/diagnostics") return Response.json(DIAGNOSTICS);
    if (path.startsWith("/api/approvals/")) return this.#decide(Number(part), body);
    const conversation = this.store.conversations.get(id ?? "");
    if (!conversation) return problem(404, `No conversation "${id}": it may have been deleted`);
    const turns = this.store.turns.filter((turn) => turn.conversation === conversation.id);
    if (part === undefined && method === "PATCH") return Response.json({ ...conversation, ...body });
    if (part === undefined) {
      return Response.json({ ...conversation, path: turns.map((turn) => ({ ...turn, siblings: [turn.id] })) });
    }
    if (part === "entries") {
      const all = this.#page(conversation.id, 0);
      return Response.json({ ...all, items: all.items.filter((entry) => entry.seq > Number(body.after)) });
    }
    if (part === "stop") return Response.json({ stopped: this.#stop(conversation.id) });
    if (part === "continue") return this.#resume(conversation.id);
    if (part === "messages") return this.#message(conversation.id, body);
    return problem(404, "No such address");
  }

  #decide(seq: number, body: Record<string, unknown>): Response {
    const refused = this.onAnswer?.(seq, body);
    if (refused) return refused;
    const held = this.store.entries.findLast((entry) => entry.seq === seq);
    if (held?.kind !== "approval") return problem(404, "There is no such question");
    if (held.state === "done") return problem(409, "It was answered already");
    const { decision, scope, reason } = body as unknown as Pick<ApprovalData, "decision" | "scope" | "reason">;
    this.finish(seq, { ...held.data, decision, scope, reason, by: "person" });
    return Response.json({});
  }

  #create(body: Record<string, unknown>): Conversation {
    const id = `01CONV${String(this.store.conversations.size + 1).padStart(20, "0")}`;
    const made: Conversation = {
      id,
      title: String(body.title ?? "New conversation"),
      agent: "assistant",
      model: typeof body.model === "string" ? body.model : null,
      head: null,
      running: false,
      pinned: false,
      unread: false,
      task: null,
      graph: null,
      origin: null,
      turns: 0,
      created_at: new Date().toISOString(),
      updated_at: new Date().toISOString(),
    };
    this.store.conversations.set(id, made);
    return made;
  }

  #message(conversation: string, body: Record<string, unknown>): Response {
    const { text, token } = body as { readonly text: string; readonly token: string };
    if (text.trim() === "") return problem(400, "Write something first");
    const before = this.store.turns.find((turn) => turn.token === token);
    if (!before) this.store.asked.push(body);
    const turn = before ?? this.#begin(conversation, text, token);
    return Response.json({ fate: "turn", turn: turn.id }, { status: 202 });
  }

  #resume(conversation: string): Response {
    const last = this.store.turns.findLast((turn) => turn.conversation === conversation);
    if (last?.status === "done") return problem(400, "The last turn has nothing to go on with");
    return Response.json({ turn: this.#begin(conversation, "", null).id }, { status: 202 });
  }

  #begin(conversation: string, text: string, token: string | null): Turn {
    const before = this.store.turns.filter((each) => each.conversation === conversation);
    const turn: Turn = {
      id: `01TURN${String(this.store.turns.length + 1).padStart(20, "0")}`,
      conversation,
      n: before.length + 1,
      parent: before.at(-1)?.id ?? null,
      origin: "person",
      status: "running",
      agent: "assistant",
      model: "demo:echo",
      thinking: null,
      usage: null,
      failure: null,
      token,
      started_at: new Date().toISOString(),
      ended_at: null,
    };
    this.store.turns.push(turn);
    this.tell({ op: "turn", conversation, turn });
    if (text !== "") {
      this.append(turn, "user", { text, images: [], from: "person", ...(token === null ? {} : { token }) }, "done");
    }
    const script = new TurnScript(this, turn, text);
    this.#running.set(conversation, script);
    Promise.resolve().then(() => this.#reply(script)).then((end) => this.#end(turn, end));
    return turn;
  }

  #end(turn: Turn, end: Partial<Turn>): void {
    const ended: Turn = { ...turn, status: "done", usage: USAGE, ended_at: new Date().toISOString(), ...end };
    this.store.turns[this.store.turns.findIndex((each) => each.id === turn.id)] = ended;
    this.#running.delete(turn.conversation);
    this.tell({ op: "turn", conversation: turn.conversation, turn: ended });
  }

  #stop(conversation: string): boolean {
    const script = this.#running.get(conversation);
    script?.stopped.abort();
    return script !== undefined;
  }

  #page(conversation: string, after: number) {
    const all = this.store.entries.filter((entry) => entry.conversation === conversation);
    return {
      items: all.filter((entry) => entry.seq > after || entry.state === "open" || entry.seq === after),
      last_seq: all.length,
    };
  }

  #live(request: Request): Response {
    const { socket, response } = Deno.upgradeWebSocket(request);
    this.#sockets.add(socket);
    const watched = new Set<string>();
    socket.onopen = () => {
      this.#watching.set(socket, watched);
      socket.send(JSON.stringify({ op: "hello", version: "0.1.0", ready: true }));
    };
    socket.onclose = () => {
      this.#sockets.delete(socket);
      this.#watching.delete(socket);
    };
    socket.onmessage = ({ data }) => {
      const { op, conversation, after } = JSON.parse(data);
      if (op === "unwatch") watched.delete(conversation);
      if (op !== "watch") return;
      watched.add(conversation);
      socket.send(JSON.stringify({ op: "entries", conversation, ...this.#page(conversation, after) }));
    };
    return response;
  }
}

const DIAGNOSTICS = {
  version: "0.1.0",
  ready: true,
  started_at: "2026-11-30T09:00:00.000Z",
  uptime_seconds: 61,
  pid: 1,
  memory: { rss_bytes: 1, heap_used_bytes: 1 },
  storage: { state: "healthy", detail: null },
  default_model: "demo:echo",
  agents: [],
  turns: [],
  queued: 0,
};

export function problem(status: number, detail: string): Response {
  return Response.json({ type: "about:blank", title: "Refused", status, detail }, { status });
}
