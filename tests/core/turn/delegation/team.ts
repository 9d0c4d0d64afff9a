/**
 * A team of agents over a real store: each plays its own script, whoever called it and in whatever order.
 *
 * @module
 */
import type { AgentDeclaration, Config } from "../../../../core/config/mod.ts";
import { type Entry, foldEntries, type LogOperation, type RunBlock, type Turn } from "../../../../core/log/mod.ts";
import { emptyTranscript, foldOperation, foldPath, type Transcript } from "../../../../core/log/mod.ts";
import { type ModelRequest, type ScriptedModel, scriptedModel, type ScriptedTurn } from "../../../../core/model/mod.ts";
import type { Toolset } from "../../../../core/tool/mod.ts";
import { capabilities } from "../../../../toolsets/capabilities.ts";
import { core } from "../../../../toolsets/core.ts";
import { messaging } from "../../../../toolsets/messaging.ts";
import { openTurns, type TurnFixture, type TurnSettings } from "../turn_fixture.ts";

/** What an agent does, call by call; later calls say "ok". */
export type Script =
  | readonly ScriptedTurn[]
  | ((request: ModelRequest, round: number) => ScriptedTurn | Promise<ScriptedTurn>);

export interface Member extends Partial<Omit<AgentDeclaration, "name" | "tools">> {
  readonly tools?: readonly string[];
  readonly resident?: readonly string[];
  readonly script?: Script;
}

export interface Team extends AsyncDisposable {
  readonly turns: TurnFixture;
  readonly model: ScriptedModel;
  readonly conversation: string;
  /** Says something, and waits until the turn has ended. */
  say(text: string): Promise<Turn>;
  /** Says something, and gives the turn at once. */
  begin(text: string): Promise<string>;
  /** Every entry as it is stored. */
  entries(): Promise<readonly Entry[]>;
  /** Every card as it is stored, in the order they were opened. */
  cards(): Promise<readonly Entry<"run">[]>;
  /** The transcript as it was heard live, and as it is on replay. */
  live(): Promise<Transcript>;
  replay(): Promise<Transcript>;
}

export const call = (name: string, input: unknown = {}, id?: string) => ({
  tool_calls: [{ name, arguments: input as Record<string, unknown>, ...id && { call: id } }],
});
export const calls = (...all: readonly (readonly [string, unknown])[]) => ({
  tool_calls: all.map(([name, input]) => ({ name, arguments: input as Record<string, unknown> })),
});
export const spawn = (agent_type: string, task = `work for ${agent_type}`) =>
  call("spawn_subagent", { agent_type, task });

/** Opens a team; its entry agent is `assistant`. An agent's opener is `I am <name>.`, by which its script is found. */
export async function openTeam(
  members: Readonly<Record<string, Member>>,
  settings: Partial<Omit<TurnSettings, "model">> & { readonly composed?: Script } = {},
): Promise<Team> {
  const agents: Config["agents"] = Object.fromEntries(
    Object.entries(members).map(([name, { tools = [], resident, script: _, ...rest }]) => [name, {
      name,
      systemMessage: `I am ${name}.`,
      delegatesTo: [],
      generation: {},
      tools: { available: tools, ...resident && { resident } },
      ...rest,
    }]),
  );
  const model = scriptedModel((request) => {
    const name = /^I am ([\w-]+)\./.exec(request.system)?.[1] ?? "";
    const script = members[name]?.script ?? settings.composed ?? [];
    const round = request.messages.filter((message) => message.role === "assistant").length;
    if (typeof script === "function") return script(request, round) as ScriptedTurn;
    return script[round] ?? { text: "ok" };
  });
  const turns = await openTurns({
    ...settings,
    model,
    agents,
    toolsets: [core, messaging, capabilities, ...settings.toolsets ?? []] as readonly Toolset[],
  });
  const { id: conversation } = await turns.book.create();
  const begin = async (text: string) => {
    const receipt = await turns.turns.submit(conversation, { text });
    if (receipt.fate === "command") throw new Error(receipt.text);
    return receipt.turn;
  };
  const entries = async () => (await turns.log.entries(conversation, { limit: 500, all: true })).items;
  return {
    turns,
    model,
    conversation,
    begin,
    say: async (text) => await turns.ended(await begin(text)),
    entries,
    cards: async () => (await entries()).filter((entry): entry is Entry<"run"> => entry.kind === "run"),
    async live() {
      const { path } = await turns.book.get(conversation);
      const heard = turns.heard.filter((operation): operation is LogOperation => operation.op !== "conversation");
      return foldPath(heard.reduce(foldOperation, emptyTranscript(conversation)), path);
    },
    async replay() {
      const { path } = await turns.book.get(conversation);
      return foldEntries(path, await entries());
    },
    [Symbol.asyncDispose]: () => turns[Symbol.asyncDispose](),
  };
}

/** The cards of a transcript as a tree of their addresses. */
export function cardTree(blocks: readonly { readonly kind: string }[]): readonly unknown[] {
  return blocks.filter((block): block is RunBlock => block.kind === "run")
    .map((card) => [card.entry.data.address, card.entry.data.status, ...cardTree(card.blocks)]);
}

/** The results of the calls of one tool, in order. */
export function resultsOf(entries: readonly Entry[], name: string): readonly string[] {
  return entries.flatMap((entry) => entry.kind === "tool" && entry.data.name === name ? [entry.data.result ?? ""] : []);
}
