/**
 * How numbers, times and sentences are said on the page. Pure; the same words on the server and in the browser.
 *
 * @module
 */

/** A span of time that is over: `0.1 s`, `6 s`, `14.2 s`, `1 min 12 s`, `1 h 21 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 59.95) {
    const tenths = Math.round(seconds * 10) / 10;
    return `${seconds > 0 ? Math.max(tenths, 0.1) : 0} s`;
  }
  const whole = Math.round(seconds);
  if (whole < 3600) return whole % 60 === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(whole / 60);
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A span that still grows: `0:06`, `1:02:03`. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** `8,412` */
export function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** `1 call`, `3 calls` */
export function some(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Whether a text is so long that it scrolls in a box of its own. */
export function isLong(text: string): boolean {
  return text.length > 600 || text.split("\n").length > 12;
}

/** `312 bytes`, `4.2 KB`, `214 KB`, `1.3 MB` */
export function size(bytes: number): string {
  if (bytes < 1000) return some(bytes, "byte");
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, "KB"] : [bytes / 1_000_000, "MB"];
  return `${value < 10 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)} ${unit}`;
}

/** US dollars, with as many places as the amount needs to say something. */
export function money(dollars: number): string {
  if (dollars === 0) return "no cost";
  return `$${dollars < 0.001 ? dollars.toFixed(5) : dollars < 1 ? dollars.toFixed(3) : dollars.toFixed(2)}`;
}

/** The time of day, `09:12`. */
export function timeOfDay(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  return `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
}

/** `15 October 2026` */
export function day(iso: string): string {
  return fullTime(iso).split(",")[0] ?? "";
}

/** `15 October 2026, 09:12` */
export function fullTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}, ${timeOfDay(iso)}`;
}

export const MONTHS: readonly string[] = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** The first sentence, without what would not fit on a line anyway. */
export function firstSentence(text: string, limit = 160): string {
  const flat = text.trim().replace(/\s+/g, " ");
  const sentence = /^.*?[.!?…](?=\s|$)/.exec(flat)?.[0] ?? flat;
  return clip(sentence.replace(/[.:]$/, ""), limit);
}

/** The sentence that is being written. */
export function latestSentence(text: string, limit = 160): string {
  const flat = text.trim().replace(/\s+/g, " ");
  const start = flat.search(/[^.!?…]*[.!?…]*$/);
  const from = flat.slice(0, start < 0 ? 0 : start).lastIndexOf(" ");
  const sentence = flat.slice(start < 0 ? 0 : start).trim();
  return clip(sentence === "" ? flat.slice(from + 1) : sentence, limit);
}

/** At most `limit` characters; an ellipsis says that there was more. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).trimEnd()}…`;
}

/** Sentences that are complete in `text` from `from` on, and where they end. For those who listen. */
export function spokenFrom(text: string, from: number, final: boolean): { said: string; upto: number } {
  const rest = text.slice(from);
  const end = final
    ? rest.length
    : Math.max(...[...rest.matchAll(/[.!?…]["”’)]?\s|\n\n/g)].map((m) => m.index + m[0].length), 0);
  return { said: plain(rest.slice(0, end)), upto: from + end };
}

/** Markdown without its marks, near enough to be spoken. */
function plain(markdown: string): string {
  return markdown
    .replace(/```[^\n]*\n[\s\S]*?(?:```|$)/g, " A listing. ")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^[\s>#|*+-]+|\|/gm, " ")
    .replace(/`+/g, "")
    // A star or a line that belongs to a sum or a name ("17 * 23", "read_file") is no mark.
    .replace(/(?<!\d)\*+(?=\S)|(?<=\S)\*+(?!\d)/g, "")
    .replace(/(?<![\p{L}\p{N}_])_+(?=\S)|(?<=\S)_+(?![\p{L}\p{N}_])/gu, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** What a model string says to a person: the model without its provider, address and flags. */
export function modelName(model: string): string {
  if (model.startsWith("demo:")) return model.replace(/[@;].*$/, "");
  const bare = model.replace(/@https?:.*$/, "").replace(/;.*$/, "");
  return bare.slice(bare.indexOf(":") + 1) || model;
}

/** Whether a model runs on the person's own machine or is the demonstration: it costs nothing. */
export function isFree(model: string): boolean {
  return /^(?:demo|ollama|lmstudio|llamacpp|vllm):/.test(model);
}

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"] as const;

/** A small number as a word, a larger one in figures; `capital` at the beginning of a sentence. */
export function inWords(value: number, capital = false): string {
  const word = NUMBERS[value] ?? count(value);
  return capital ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}
