/**
 * What the palette lists for what was typed, in groups. Pure: the page and the search come in as data.
 *
 * @module
 */
import type { Conversation } from "../../core/log/entry.ts";
import type { IconName } from "../shell/Icon.tsx";
import type { Found } from "../state/api.ts";
import { dayOf } from "../state/rows.ts";
import type { Action } from "./actions.ts";
import { nearMatch, passage, type Piece, pieces, rank } from "./rank.ts";

/** One line of the list. It leads somewhere (`href`) or does something (`run`). */
export interface Hit {
  readonly id: string;
  readonly icon: IconName;
  readonly title: readonly Piece[];
  /** At the right edge: when it was, or a key. */
  readonly right: string;
  readonly detail?: { readonly note: string; readonly pieces: readonly Piece[] };
  readonly href?: string;
  readonly run?: () => void;
}

export interface Group {
  readonly name: string;
  readonly hits: readonly Hit[];
}

/** What the list is made of. */
export interface Sources {
  readonly basePath: string;
  readonly now: number;
  readonly rows: readonly Conversation[];
  /** The one in view: it is no place to go to, unless it is looked for by name. */
  readonly current: string | null;
  readonly actions: readonly Action[];
  /** What the search found for these words; empty until it has. */
  readonly found: readonly Found[];
  /** Begins a conversation with this text in the composer. */
  readonly beginWith: (text: string) => void;
}

/** How many titles are listed, and how many recent ones where nothing was typed. */
const TITLES = 8;

/** What was typed, read: after `>` actions alone. */
export function readWords(typed: string): { readonly words: string; readonly actionsOnly: boolean } {
  const actionsOnly = typed.trimStart().startsWith(">");
  return { words: (actionsOnly ? typed.trimStart().slice(1) : typed).trim(), actionsOnly };
}

/** The groups, those with nothing in them left out. */
export function groupsFor(typed: string, sources: Sources): readonly Group[] {
  const { words, actionsOnly } = readWords(typed);
  const actions = { name: "Actions", hits: actionHits(words, actionsOnly, sources) };
  if (actionsOnly) return [actions].filter(hasHits);
  const titles = titleHits(words, sources);
  const said = sources.found.map((found) => foundHit(found, sources));
  return [
    { name: words === "" ? "Recent" : `Conversations, ${titles.length}`, hits: titles },
    { name: `In what was said, ${said.length}`, hits: words === "" ? [] : said },
    actions,
    { name: "Pages", hits: pageHits(words, sources) },
  ].filter(hasHits);
}

function hasHits({ hits }: Group): boolean {
  return hits.length > 0;
}

function titleHits(words: string, { rows, current, basePath, now }: Sources): readonly Hit[] {
  const listed = words === "" ? rows.filter(({ id }) => id !== current) : rows;
  return rank(listed, words, (row) => row.title, TITLES).map(({ item, marks }) => ({
    id: `title-${item.id}`,
    icon: "chat",
    title: pieces(item.title, marks),
    right: dayOf(item.updated_at, now),
    href: `${basePath}/c/${item.id}`,
  }));
}

/** Where not the phrase but all its words were found, the line says so. */
function foundHit(found: Found, { rows, basePath, now }: Sources): Hit {
  const row = rows.find(({ id }) => id === found.conversation);
  const note = found.match === "all_terms" ? "all words: " : found.match === "meaning" ? "near in meaning: " : "";
  return {
    id: `found-${found.conversation}-${found.seq}`,
    icon: "chat",
    title: [{ text: found.title, hit: false }],
    right: row ? dayOf(row.updated_at, now) : "",
    detail: { note, pieces: nearMatch(passage(found.snippet)) },
    href: `${basePath}/c/${found.conversation}?at=${found.seq}`,
  };
}

function actionHits(words: string, actionsOnly: boolean, { actions, beginWith }: Sources): readonly Hit[] {
  const fits = rank(actions, words, (action) => action.title, actions.length).map(({ item, marks }): Hit => ({
    id: `action-${item.id}`,
    icon: item.icon,
    title: pieces(item.title, marks),
    right: item.keys,
    run: item.run,
  }));
  if (words === "" || actionsOnly) return fits;
  const title = [{ text: `New conversation about “${words}”`, hit: false }];
  return [...fits, { id: "begin", icon: "plus", title, right: "", run: () => beginWith(words) }];
}

function pageHits(words: string, { basePath }: Sources): readonly Hit[] {
  const all: readonly { readonly name: string; readonly path: string; readonly icon: IconName }[] = [
    { name: "Memory", path: "/memory", icon: "keep" },
    { name: "Permissions", path: "/permissions", icon: "check" },
    { name: "Usage", path: "/usage", icon: "dial" },
    { name: "Settings", path: "/settings", icon: "gear" },
  ];
  return rank(all, words, ({ name }) => name, all.length).map(({ item, marks }) => ({
    id: `page-${item.path.slice(1)}`,
    icon: item.icon,
    title: pieces(item.name, marks),
    right: "",
    href: basePath + item.path,
  }));
}
