/**
 * The whole assistant on a real store, with a provider over HTTP that answers turns and is asked for titles.
 *
 * @module
 */
import { type Assistant, createAssistant } from "../../../core/assistant.ts";
import type { Config } from "../../../core/config/mod.ts";
import type { Conversation, LogOperation, Turn } from "../../../core/log/mod.ts";
import {
  type FakeProvider,
  type FakeRequest,
  type Protocol,
  type Reply,
  startFakeProvider,
} from "../../providers/mod.ts";
import { testConfig } from "../config_fixture.ts";

export interface NamingSettings {
  /** What the provider says when it is asked for the n-th title (from 0). */
  readonly title?: (n: number, request: FakeRequest) => Reply;
  /** What it says to anything else; default an answer. */
  readonly answer?: (n: number) => Reply;
  readonly protocol?: Protocol;
  /** `generate_titles`; default on. */
  readonly on?: boolean;
  /** A model in place of the provider. */
  readonly model?: string;
  /** A folder to go on in; it is kept. */
  readonly dataDir?: string;
  readonly agents?: Config["agents"];
}

export interface Naming extends AsyncDisposable {
  readonly assistant: Assistant;
  readonly provider: FakeProvider;
  readonly heard: readonly LogOperation[];
  /** `LEVEL subsystem: message`. */
  readonly reports: readonly string[];
  /** The n-th request for a title (from 0), once it has arrived. */
  asked(n: number): Promise<FakeRequest>;
  /** How many titles were asked for. */
  readonly askedCount: number;
  create(model?: string): Promise<string>;
  /** Sends a message and gives its turn, once it has ended. */
  say(conversation: string, text: string): Promise<Turn>;
  /** The row as it is announced, as soon as it has this title. */
  titled(conversation: string, title: string): Promise<Conversation>;
  /** The first report that holds this, whenever it comes. */
  reported(text: string): Promise<string>;
  title(conversation: string): Promise<string>;
  /** Resolves when all that the turns before it could have asked for has been asked for. */
  settled(): Promise<void>;
}

const isTitleRequest = ({ body }: FakeRequest): boolean => body.includes("Give this conversation a title");

/** Starts it; disposing stops everything. */
export async function openNaming(settings: NamingSettings = {}): Promise<Naming> {
  const { title = () => ({ text: "Made title" }), answer = () => ({ text: "An answer" }) } = settings;
  const titles: FakeRequest[] = [];
  const waiting: PromiseWithResolvers<FakeRequest>[] = [];
  const at = (n: number) => waiting[n] ??= Promise.withResolvers<FakeRequest>();
  let answers = 0;
  const provider = startFakeProvider(settings.protocol ?? "openai-chat", (request) => {
    if (!isTitleRequest(request)) return answer(answers++);
    if (request.body.includes(SENTINEL)) return { text: SENTINEL_TITLE };
    const n = titles.push(request) - 1;
    at(n).resolve(request);
    return title(n, request);
  });
  const dataDir = settings.dataDir ?? await Deno.makeTempDir({ prefix: "malama-naming-" });
  const base = testConfig();
  const heard: LogOperation[] = [];
  const reports: string[] = [];
  const listeners = new Set<() => void>();
  const tell = () => listeners.forEach((listener) => listener());
  const assistant = await createAssistant({
    config: {
      ...base,
      ...(settings.agents ? { agents: settings.agents } : {}),
      assistant: { ...base.assistant, generateTitles: settings.on ?? true },
      dataDir,
    },
    version: "test",
    toolsets: [],
    env: (name) => /_API_KEY$/.test(name) ? "test-key" : undefined,
    model: settings.model ?? provider.modelString,
    report: (level, subsystem, message) => (reports.push(`${level} ${subsystem}: ${message}`), tell()),
    provider: { attempts: 1, stallTimeoutMs: 20_000 },
  });
  assistant.feed.subscribe((operation) => (heard.push(operation), tell()));
  await assistant.started;

  /** Resolves with the first thing found, now or after anything was heard or reported. */
  const until = <T>(find: () => T | undefined): Promise<T> => {
    const { promise, resolve } = Promise.withResolvers<T>();
    const look = () => {
      const found = find();
      if (found === undefined) return;
      listeners.delete(look);
      resolve(found);
    };
    listeners.add(look);
    look();
    return promise;
  };
  const rows = () => heard.flatMap((operation) => operation.op === "conversation" ? [operation.conversation] : []);
  const titled = (id: string, wanted: string) =>
    until(() => rows().find((row) => row.id === id && row.title === wanted));
  const say = async (conversation: string, text: string): Promise<Turn> => {
    const receipt = await assistant.turns.submit(conversation, { text });
    if (receipt.fate !== "turn") throw new Error("It became no turn");
    return await until(() =>
      heard.flatMap((operation) => operation.op === "turn" ? [operation.turn] : [])
        .find((turn) => turn.id === receipt.turn && turn.status !== "running")
    );
  };
  return {
    assistant,
    provider,
    heard,
    reports,
    asked: (n) => at(n).promise,
    get askedCount() {
      return titles.length;
    },
    create: async (model) => (await assistant.conversations.create(model === undefined ? {} : { model })).id,
    say,
    titled,
    reported: (text) => until(() => reports.find((line) => line.includes(text))),
    title: async (id) => (await assistant.conversations.get(id)).title,
    async settled() {
      // The store answers in order, and so does this machine: what was begun before this has been asked for by now.
      const { id } = await assistant.conversations.create({ model: provider.modelString });
      await say(id, SENTINEL);
      await assistant.titles.request(id);
      await titled(id, SENTINEL_TITLE);
    },
    async [Symbol.asyncDispose]() {
      await assistant.close();
      await provider.close();
      if (!settings.dataDir) await Deno.remove(dataDir, { recursive: true });
    },
  };
}

const SENTINEL = "The last of them all";
const SENTINEL_TITLE = "Sentinel";
