/**
 * Turns beside or after one that was: another answer to the same message, another message in its place, and going on.
 *
 * @module
 */
import { RESUME_PROMPT } from "../agent/mod.ts";
import { BadRequest, TurnNotFound } from "../conversation/mod.ts";
import { type Entry, ENTRY_COLUMNS, entryOfRow, type Turn } from "../log/mod.ts";
import { modelProblem } from "../model/mod.ts";
import type { Database } from "../storage/mod.ts";
import type { Rerun } from "./contract.ts";
import { checkMessage, cleanText } from "./incoming.ts";
import { readTurn } from "./turn_store.ts";
import type { WaitingMessage } from "./waiting_store.ts";

/** What a new message has of its own. */
export type Stamp = Pick<WaitingMessage, "id" | "at">;

const PLAIN = {
  parent: null,
  atRoot: false,
  token: null,
  images: [],
  files: [],
  thinking: null,
  model: null,
  origin: "person",
  from: "person",
  injected: null,
  joins: null,
  place: 0,
} as const;

/** A message with nothing but a text. */
export function plainMessage(conversation: string, text: string, stamp: Stamp): WaitingMessage {
  return { ...PLAIN, conversation, text: cleanText(text), ...stamp };
}

/** What asks a model to go on after a turn. */
export function resumption(turn: Turn, stamp: Stamp): WaitingMessage {
  const message = plainMessage(turn.conversation, RESUME_PROMPT, stamp);
  return { ...message, parent: turn.id, origin: "follow_up", from: "loop", injected: "continuation" };
}

/** The message of a turn again. Throws `TurnNotFound`, and `BadRequest` on a model string that does not parse. */
export async function sameMessage(
  database: Database,
  { conversation, id }: Pick<Turn, "conversation" | "id">,
  { model, thinking }: Rerun,
  stamp: Stamp,
): Promise<WaitingMessage> {
  if (model !== undefined) checkModel(model);
  const { turn, said } = await begunBy(database, conversation, id);
  return {
    ...beside(turn, said, stamp),
    thinking: thinking ?? turn.thinking,
    model: model ?? null,
    origin: "rerun",
  };
}

/** Another text in the place of a turn's message. Throws `TurnNotFound`, and `BadRequest` where that cannot be. */
export async function otherMessage(
  database: Database,
  { conversation, id }: Pick<Turn, "conversation" | "id">,
  text: string,
  stamp: Stamp,
): Promise<WaitingMessage> {
  const { turn, said } = await begunBy(database, conversation, id);
  const { injected, images, files = [] } = said.data;
  if (injected !== undefined) {
    throw new BadRequest("", "No person wrote the message of this turn: it can be answered again, but not changed");
  }
  checkMessage({ text, images, files });
  return { ...beside(turn, said, stamp), text: cleanText(text), thinking: turn.thinking };
}

/** A message in the same place as a turn's, with all that it brought. */
function beside(turn: Turn, { data }: Entry<"user">, stamp: Stamp): WaitingMessage {
  const { text, images, files = [], from, injected } = data;
  return {
    ...plainMessage(turn.conversation, text, stamp),
    parent: turn.parent,
    atRoot: turn.parent === null,
    images,
    files,
    from,
    injected: injected ?? null,
  };
}

async function begunBy(database: Database, conversation: string, id: string) {
  const [turn, rows] = await Promise.all([
    readTurn(database, conversation, id),
    database.read(
      `select ${ENTRY_COLUMNS} from entries
       where conversation = ? and turn = ? and kind = 'user' and run is null order by seq limit 1`,
      [conversation, id],
    ),
  ]);
  const said = rows[0] && entryOfRow(rows[0]);
  if (!turn || said?.kind !== "user") throw new TurnNotFound(conversation, id);
  return { turn, said };
}

function checkModel(model: string): void {
  const problem = modelProblem(model);
  if (problem !== null) throw new BadRequest("model", problem);
}
