/**
 * What a page is drawn from, read from the assistant: on the server only.
 *
 * @module
 */
import type { Context } from "fresh";
import type { ConversationDetail } from "../../core/conversation/mod.ts";
import type { PathTurn } from "../../core/log/mod.ts";
import { cookiesOf, type State } from "../../web/mod.ts";
import type { Boot, Rows } from "../state/boot.ts";
import { placeIn, readStretch, type Stretch } from "./stretch.ts";
import { readSide, SIDE_COOKIE } from "../state/preferences.ts";

/** How many rows of the list a page begins with. */
const FIRST_ROWS = 50;

/**
 * Reads what the islands of a page begin with. `?older=` pages the list, `?before=`, `?after=` and `?at=` (an entry that is
 * marked) say which part of the conversation is drawn.
 */
export async function bootOf(
  ctx: Context<State>,
  page: Boot["page"],
  conversation: ConversationDetail | null = null,
): Promise<Boot> {
  const { assistant, theme } = ctx.state;
  const [rows, shown] = await Promise.all([
    rowsOf(ctx),
    conversation ? readStretch(assistant.log, conversation, placeIn(ctx.url.searchParams)) : NOTHING,
  ]);
  return {
    basePath: ctx.config.basePath,
    version: assistant.version,
    page,
    theme,
    side: readSide(cookiesOf(ctx.req.headers).get(SIDE_COOKIE)),
    rows,
    model: await modelOf(ctx),
    conversation: conversation && { ...conversation, path: pathFrom(conversation.path, shown.entries.items[0]?.turn) },
    ...shown,
    now: Date.now(),
  };
}

/** The turns of which something is shown: a long conversation does not travel whole to show its end. */
function pathFrom(path: readonly PathTurn[], first: string | null | undefined): readonly PathTurn[] {
  const at = path.findIndex((turn) => turn.id === first);
  return at < 0 ? path : path.slice(at);
}

const NOTHING: Stretch = { entries: { items: [], last_seq: 0 }, older: null, newer: null, at: null };

async function rowsOf(ctx: Context<State>): Promise<Rows> {
  const before = ctx.url.searchParams.get("older");
  return await ctx.state.assistant.conversations.list({
    limit: FIRST_ROWS,
    ...before !== null && !Number.isNaN(Date.parse(before)) && { before },
  });
}

/** The model is known once the assistant is ready; a page that is asked for before waits for it, not longer than a moment. */
async function modelOf(ctx: Context<State>): Promise<string> {
  const { assistant } = ctx.state;
  if (!assistant.ready) await assistant.started.catch(() => {});
  return assistant.defaultModel.string;
}
