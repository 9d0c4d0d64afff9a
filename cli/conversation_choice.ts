/**
 * Finding a conversation from what a person types, and listing them to choose from (K-296).
 *
 * @module
 */
import { MALAMA_COMMAND } from "../core/config/mod.ts";
import type { Conversation } from "../core/log/mod.ts";
import { oneLine } from "./control_filter.ts";
import { Mistake } from "./mistake.ts";
import type { Wire } from "./wire.ts";

interface Page {
  readonly items: readonly Conversation[];
  readonly next: string | null;
}

/** Fewer characters of an id than this could mean too many conversations. */
const SHORTEST = 6;

/** How many pages of 200 are looked through for the start of an id. */
const PAGES = 50;

/** The id meant by `latest`, a whole id, or the start of one. Throws `Mistake` when there is none, or more than one. */
export async function findConversation(wire: Wire, text: string): Promise<string> {
  const wanted = text.trim();
  if (wanted === "latest") {
    const { items } = await wire.get<Page>("/api/conversations?limit=1");
    if (!items[0]) {
      throw new Mistake(
        `There is no conversation yet: begin one with ${MALAMA_COMMAND} chat, without "--conversation"`,
      );
    }
    return items[0].id;
  }
  if (wanted.length < SHORTEST) {
    throw new Mistake(`"${wanted}" is too short: write the first ${SHORTEST} characters of an id or more`);
  }
  const found = await startingWith(wire, wanted.toUpperCase());
  if (found.length === 0) throw new Mistake(`No conversation has an id that starts with "${wanted}"`);
  if (found.length === 1) return found[0]!.id;
  const list = found.slice(0, 10).map(({ id, title }) => `${id} ${oneLine(title, 40)}`).join("; ");
  throw new Mistake(`"${wanted}" could be any of ${found.length}: ${list}`);
}

async function startingWith(wire: Wire, start: string): Promise<Conversation[]> {
  const found: Conversation[] = [];
  let query = "";
  for (let page = 0; page < PAGES; page++) {
    const { items, next } = await wire.get<Page>(`/api/conversations?limit=200${query}`);
    const whole = items.find(({ id }) => id === start);
    if (whole) return [whole];
    found.push(...items.filter(({ id }) => id.startsWith(start)));
    if (next === null) break;
    query = `&before=${encodeURIComponent(next)}`;
  }
  return found;
}

/** The newest twenty, one line each: `*` on the one in view, the short id, the title, and whether it runs. */
export async function conversationList(wire: Wire, inView: string | null): Promise<string> {
  const { items } = await wire.get<Page>("/api/conversations?limit=20");
  if (items.length === 0) return "None yet. The first message begins one";
  const lines = items.map(({ id, title, running }) =>
    `${id === inView ? "*" : " "} ${shortId(id, items)}  ${oneLine(title, 60)}${running ? "  (running)" : ""}`
  );
  return [...lines, "/switch ID goes to one"].join("\n");
}

/** As many characters, six or more, as tell an id from the others: ids begun close together start alike. */
function shortId(id: string, all: readonly Conversation[]): string {
  let length = SHORTEST;
  while (length < id.length && all.some((other) => other.id !== id && other.id.startsWith(id.slice(0, length)))) {
    length++;
  }
  return id.slice(0, length);
}
