/**
 * Takes the folder it is given, announces an address, says so, and keeps the folder until it is killed.
 *
 * @module
 */
import { openStorage } from "../../../core/storage/mod.ts";

const storage = await openStorage({ dataDir: Deno.args[0] ?? "" });
await storage.announceAddress("http://127.0.0.1:7777");
console.log("held");
setInterval(() => {}, 60_000);
