/**
 * Finds the places in a sentence that have a clock of their own: "Tokyo" is `Asia/Tokyo`.
 *
 * @module
 */

/** A time zone named in a text, and where. */
export interface FoundZone {
  readonly zone: string;
  readonly at: number;
}

/** Places whose zone is named after another one. */
const OTHER_PLACES: Readonly<Record<string, string>> = {
  utc: "UTC",
  gmt: "UTC",
  beijing: "Asia/Shanghai",
  china: "Asia/Shanghai",
  delhi: "Asia/Kolkata",
  mumbai: "Asia/Kolkata",
  bangalore: "Asia/Kolkata",
  india: "Asia/Kolkata",
  japan: "Asia/Tokyo",
  osaka: "Asia/Tokyo",
  korea: "Asia/Seoul",
  "san francisco": "America/Los_Angeles",
  "los angeles": "America/Los_Angeles",
  seattle: "America/Los_Angeles",
  boston: "America/New_York",
  washington: "America/New_York",
  montreal: "America/Toronto",
  hawaii: "Pacific/Honolulu",
  germany: "Europe/Berlin",
  munich: "Europe/Berlin",
  hamburg: "Europe/Berlin",
  france: "Europe/Paris",
  italy: "Europe/Rome",
  milan: "Europe/Rome",
  spain: "Europe/Madrid",
  barcelona: "Europe/Madrid",
  england: "Europe/London",
  scotland: "Europe/London",
  switzerland: "Europe/Zurich",
  geneva: "Europe/Zurich",
  "new zealand": "Pacific/Auckland",
  wellington: "Pacific/Auckland",
};

/** The zones a text names, in the order it names them: by IANA name, by city, or by a few countries. */
export function findZones(text: string): readonly FoundZone[] {
  const lower = text.toLowerCase();
  const found = new Map<number, { readonly zone: string; readonly length: number }>();
  const note = (name: string, zone: string) => {
    const at = indexOfWord(lower, name);
    if (at >= 0 && name.length > (found.get(at)?.length ?? 0)) found.set(at, { zone, length: name.length });
  };
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    note(zone.toLowerCase(), zone);
    const city = zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ").toLowerCase();
    if (city.length > 3) note(city, zone);
  }
  for (const [name, zone] of Object.entries(OTHER_PLACES)) note(name, zone);
  return [...found].map(([at, { zone, length }]) => ({ zone, at, end: at + length }))
    .toSorted((a, b) => a.at - b.at)
    .filter((each, index, all) => !all.some((other, i) => i !== index && other.at <= each.at && other.end > each.at));
}

/** The city of a zone, as a person says it. */
export function cityOf(zone: string): string {
  return zone === "UTC" ? "UTC" : zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}

function indexOfWord(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? " ";
    const after = text[at + word.length] ?? " ";
    if (!/[\p{L}\d/_]/u.test(before) && !/[\p{L}\d/_]/u.test(after)) return at;
  }
  return -1;
}
