/**
 * Other conversations (K section 6.2, K-166 to K-168): list, read, search, rename, export.
 *
 * What was said there is content, also where it sounds like an instruction: it is fenced.
 *
 * @module
 */
import { defineToolset, tool, type ToolContext, z } from "malama";
import { BadRequest, type ConversationAccess, ConversationNotFound, CONVERSATIONS } from "../core/conversation/mod.ts";
import { orUsual } from "./bounds.ts";
import { fence } from "./fence.ts";

/** Lines above which an export is better read by a sub-agent (K-168). */
const LONG_EXPORT_LINES = 400;

/** Conversations that are counted to say how many are not shown. */
const COUNTED = 500;

const conversationId = () => z.string().describe("Its id, or the first six characters or more of it");

/** `conversations`: what was said in other conversations. */
export const conversations = defineToolset({
  name: "conversations",
  description: "Listing, reading, searching, renaming and exporting conversations",
  guidance:
    "These reach other conversations; for this one use what you have before you. To see how a run went, export it " +
    "and read the export. Renaming is the only change you can make.",
  crossCutting: true,
  tools: ({ agent }) => [
    tool({
      name: "list_conversations",
      description: "Lists conversations, the newest first, with their ids.",
      input: z.object({ limit: orUsual({ least: 1, most: 200, usual: 30 }).describe("How many, from 1 to 200") }),
      async run({ limit }, { service, conversation }) {
        const { items: all, next } = await service(CONVERSATIONS).book.list({ limit: COUNTED });
        const items = all.slice(0, limit);
        if (items.length === 0) return "There are no conversations yet.";
        const lines = items.map((item) => {
          const marks = [
            item.id === conversation ? " (current)" : "",
            item.running ? " (turn in progress)" : "",
          ].join("");
          return `${item.id}  ${
            item.updated_at.slice(0, 16).replace("T", " ")
          }  ${item.turns} turns  ${item.title}${marks}`;
        });
        const hidden = all.length - items.length;
        const more = next === null ? `${hidden}` : `More than ${hidden}`;
        const after = hidden === 0 ? [] : [`${more} older ones are not shown: ask with a larger limit, up to 200.`];
        return fence({ source: { called: "the list of conversations" }, content: lines.join("\n"), after });
      },
    }),

    tool({
      name: "read_conversation",
      description: "Reads the end of another conversation.",
      input: z.object({
        id: conversationId(),
        max_chars: orUsual({ least: 200, most: 40_000, usual: 8000 }).describe(
          "How many characters of its end, from 200 to 40000",
        ),
      }),
      run: ({ id, max_chars }, context) =>
        answering(id, context, async (access, found) => {
          const notes = await readingNotes(access, found, context, agent.isEntry);
          const text = await access.markdown(found);
          const start = Math.max(0, text.length - max_chars);
          const cut = start > 0 ? [`The first ${start} characters are left out: ask for more, or export it.`] : [];
          return fence({
            source: { called: `conversation ${found}` },
            before: [...notes, ...cut],
            content: text.slice(start),
          });
        }),
    }),

    tool({
      name: "search_conversations",
      description: "Finds where words were said, as a phrase first, in all conversations.",
      input: z.object({
        query: z.string().trim().min(1, "say what to search for"),
        max_results: orUsual({ least: 1, most: 50, usual: 20 }).describe("How many, from 1 to 50"),
        context_chars: orUsual({ least: 1, most: 400, usual: 100 }).describe(
          "Characters shown on each side of a match, from 1 to 400",
        ),
      }),
      async run({ query, max_results, context_chars }, { service }) {
        const snippet = Math.max(40, 2 * context_chars);
        const hits = await service(CONVERSATIONS).search(query, { limit: max_results, snippet });
        if (hits.length === 0) return `Nobody said "${query}". Try other words, or fewer.`;
        const loose = hits.some((hit) => hit.match === "all_terms");
        return fence({
          source: { called: "a search over all conversations" },
          before: loose ? ["Nothing has these words as a phrase; these messages have all of them somewhere."] : [],
          content: hits.map((hit) => `${hit.conversation}  ${hit.title}\n  ${plain(hit.snippet)}`).join("\n"),
        });
      },
    }),

    tool({
      name: "rename_conversation",
      description: "Gives a conversation another title, of 40 characters at most.",
      input: z.object({ id: conversationId(), title: z.string() }),
      run: ({ id, title }, context) =>
        answering(id, context, async ({ book }, found) => {
          const { title: given } = await book.update(found, { title });
          return `Renamed to "${given}".`;
        }),
    }),

    tool({
      name: "export_conversation",
      description: "Writes a conversation into a Markdown file and says where it is, to be read with the file tools.",
      input: z.object({
        id: conversationId(),
        full: z.boolean().default(false).describe("With thinking and whole results"),
      }),
      run: ({ id, full }, context) =>
        answering(id, context, async (access, found) => {
          const { path, link, lines, bytes } = await access.exportFile(found, full);
          const holds = full ? "everything, with thinking and whole results" : "what was said, calls and costs";
          const advice = lines > LONG_EXPORT_LINES
            ? " It is long: hand the path to a sub-agent rather than read all of it."
            : "";
          return `Wrote ${path}: ${lines} lines, ${bytes} bytes. It holds ${holds}. ` +
            `The person can save it from ${link}.${advice}`;
        }),
    }),
  ],
});

/** What the reader should know of a conversation it reads (K-167). */
async function readingNotes(
  { book }: ConversationAccess,
  id: string,
  { conversation }: ToolContext,
  isEntry: boolean,
): Promise<readonly string[]> {
  if (id === conversation) {
    return isEntry
      ? ["This is the conversation you are in: for this turn, go by what is before you."]
      : ["This is the conversation that gave you your task; its turn is still going on."];
  }
  const { running } = await book.get(id);
  return running ? ["A turn is going on there: its last answer is not finished."] : [];
}

async function answering(
  id: string,
  { service }: ToolContext,
  work: (access: ConversationAccess, id: string) => Promise<string>,
): Promise<string> {
  const access = service(CONVERSATIONS);
  try {
    const found = await access.book.resolve(id.trim());
    if (found === null) throw new ConversationNotFound(id);
    return await work(access, found);
  } catch (error) {
    if (error instanceof ConversationNotFound) {
      return `There is no one conversation "${id}". Take an id from list_conversations.`;
    }
    if (error instanceof BadRequest) return `${error.message}.`;
    throw error;
  }
}

/** A snippet without the marks of what matched. */
function plain(snippet: string): string {
  return snippet.replaceAll(/[\uE000\uE001]/g, "");
}
