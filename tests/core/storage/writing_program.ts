/**
 * Opens the store of the folder it is given and writes without end, printing the number of each write once it is
 * acknowledged. Each write is one row in `meta` and one spoken entry. The crash test kills it.
 *
 * @module
 */
import { openStorage } from "../../../core/storage/mod.ts";
import { insertConversation, insertEntry } from "./sample_store.ts";

const storage = await openStorage({ dataDir: Deno.args[0] ?? "" });
await storage.database.write([insertConversation("c")]);
const encoder = new TextEncoder();
let next = 0;

async function writeOn(): Promise<void> {
  for (;;) {
    const n = next++;
    await storage.database.write([
      { sql: "insert into meta (key, value) values (?, 'x')", args: [`write-${n}`] },
      insertEntry({ conversation: "c", seq: n, text: `crash number${n} ${"words ".repeat(40)}` }),
    ]);
    Deno.stdout.writeSync(encoder.encode(`${n}\n`));
  }
}

await Promise.all([writeOn(), writeOn(), writeOn(), writeOn()]);
