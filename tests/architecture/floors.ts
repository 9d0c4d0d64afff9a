/**
 * The floors of the house as data, and the rules that an arrow between two files is held to.
 *
 * @module
 */

/** One import. `typeOnly` ones vanish at run time: they count for floors and faces, not for circles. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

export type Rule = "unknown floor" | "upward" | "toolsets" | "core seen by the browser" | "fresh" | "face" | "circle";

export interface Violation {
  readonly rule: Rule;
  /** What is wrong, with both files, ready to print. */
  readonly text: string;
}

/**
 * From the top down, as `docs/architecture.md` has it. A file imports from its own floor's own folder and from floors
 * further down. Folders that share a line do not see each other.
 */
export const FLOORS: readonly (readonly string[])[] = [
  ["tests", "bench"],
  ["main.ts"],
  ["cli", "routes"],
  // What pages are made of on the server alone: it reads the assistant and never reaches the browser.
  ["components/server"],
  ["islands", "components"],
  ["web"],
  ["fresh"],
  ["core/assistant.ts"],
  ["core/live_settings.ts", "core/models_in_use.ts", "core/toolset_services.ts"],
  ["core/declared.ts"],
  // What a third party writes: it has the library's face and nothing else.
  ["examples"],
  ["toolsets"],
  // The library's face: a toolset of ours imports it as one of anybody else's would.
  ["mod.ts"],
  ["core/compose", "core/studio", "core/package"],
  [
    "core/workflow",
    "core/schedule",
    "core/terrarium",
    "core/mcp",
    "core/skill",
    "core/media",
    "core/memory",
    "core/sandbox",
  ],
  ["core/turn"],
  ["core/conversation"],
  ["core/trigger"],
  ["core/agent"],
  ["core/downloads", "core/egress", "core/files"],
  ["core/tool"],
  ["core/model"],
  ["core/log"],
  ["core/storage"],
  ["core/config"],
];

/** Folders of one floor that may use each other all the same. */
const NEIGHBOURS: readonly (readonly [string, string])[] = [["islands", "components"], ["tests", "bench"]];

/** All of core that the browser may be sent: types, and the fold that needs nothing else. */
const SEEN_BY_BROWSER: readonly string[] = [
  "core/log/entry.ts",
  "core/log/interrupted.ts",
  "core/log/folds/transcript.ts",
];

/** What the process of a third party's toolset is given: the rest of these rooms is not to be loaded there. */
const SEEN_BY_PLUGINS: readonly string[] = ["core/log/error_text.ts", "core/tool/surface.ts"];

/** Faces beside a folder's `mod.ts`. Fresh has one for the server, one for islands, one for the build. */
const FACES: readonly string[] = ["fresh/runtime.ts", "fresh/dev.ts", ...SEEN_BY_BROWSER, ...SEEN_BY_PLUGINS];

/** These look past faces: tests and benchmarks at the parts they try. */
const FREE = ["tests", "bench"];

interface Place {
  readonly folder: string;
  readonly level: number;
}

/** The floor a file is on; level 0 is the top. `null` when no floor claims it. */
export function floorOf(file: string): Place | null {
  for (const [level, folders] of FLOORS.entries()) {
    const folder = folders.find((candidate) => file === candidate || file.startsWith(`${candidate}/`));
    if (folder !== undefined) return { folder, level };
  }
  return null;
}

/** Everything that is wrong with these arrows between these files, in the order of the rules. */
export function violations(files: readonly string[], arrows: readonly Arrow[]): readonly Violation[] {
  const all = new Set(files);
  const lost = files.filter((file) => floorOf(file) === null).map((file): Violation => ({
    rule: "unknown floor",
    text: `${file} is on no floor; add its folder to FLOORS and to docs/architecture.md`,
  }));
  const crossed = arrows.flatMap((arrow) => [
    ...directionViolations(arrow),
    ...browserViolations(arrow),
    ...faceViolations(arrow, all),
  ]);
  return [...lost, ...crossed, ...circles(arrows)];
}

function directionViolations({ from, to }: Arrow): readonly Violation[] {
  const [source, target] = [floorOf(from), floorOf(to)];
  if (source === null || target === null || source.folder === target.folder) return [];
  if (source.folder === "fresh") return [violation("fresh", from, to, "fresh/ knows nothing of the product")];
  if (target.folder === "toolsets" && from.startsWith("core/")) {
    return [violation("toolsets", from, to, "core reaches toolsets through the registry only")];
  }
  if (source.level < target.level || areNeighbours(source.folder, target.folder)) return [];
  return [violation("upward", from, to, `${source.folder} may not use ${target.folder}`)];
}

function areNeighbours(one: string, other: string): boolean {
  return NEIGHBOURS.some((pair) => pair.includes(one) && pair.includes(other));
}

/** What an island uses is bundled for the browser, and components with it; types of `web/` vanish on the way. */
function browserViolations({ from, to, typeOnly }: Arrow): readonly Violation[] {
  if (!["islands", "components"].includes(floorOf(from)?.folder ?? "") || SEEN_BY_BROWSER.includes(to)) return [];
  const serverOnly = /^(?:core|toolsets)\//.test(to) || to.startsWith("web/") && !typeOnly;
  if (!serverOnly) return [];
  return [violation("core seen by the browser", from, to, `the browser is sent ${SEEN_BY_BROWSER.join(" and ")} only`)];
}

/** From outside a folder that has a face, only the face may be imported; the outermost such folder decides. */
function faceViolations({ from, to }: Arrow, all: ReadonlySet<string>): readonly Violation[] {
  if (FREE.includes(floorOf(from)?.folder ?? "") || FACES.includes(to)) return [];
  const room = foldersOf(to).find((folder) => !from.startsWith(`${folder}/`) && all.has(`${folder}/mod.ts`));
  if (room === undefined || to === `${room}/mod.ts`) return [];
  return [violation("face", from, to, `outside ${room}/ only ${room}/mod.ts is imported`)];
}

/** `core/log/folds/x.ts` gives `core`, `core/log`, `core/log/folds`. */
function foldersOf(file: string): readonly string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function violation(rule: Rule, from: string, to: string, why: string): Violation {
  return { rule, text: `${from} imports ${to}: ${why}` };
}

/** Each circle once, as the shortest way round from its first file. */
function circles(arrows: readonly Arrow[]): readonly Violation[] {
  const next = new Map<string, string[]>();
  for (const { from, to, typeOnly } of arrows) {
    if (!typeOnly) next.set(from, [...next.get(from) ?? [], to]);
  }
  const seen = new Set<string>();
  const found: Violation[] = [];
  for (const file of [...next.keys()].toSorted()) {
    if (seen.has(file)) continue;
    const way = wayBack(file, next);
    if (way === null) continue;
    way.forEach((step) => seen.add(step));
    found.push({ rule: "circle", text: `${way.join(" imports ")}: a circle` });
  }
  return found;
}

/** The shortest way from a file back to itself, or `null`. */
function wayBack(start: string, next: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const reached = new Set<string>();
  let ways: (readonly string[])[] = [[start]];
  while (ways.length > 0) {
    const longer: (readonly string[])[] = [];
    for (const way of ways) {
      for (const to of next.get(way.at(-1) ?? "") ?? []) {
        if (to === start) return [...way, to];
        if (reached.has(to)) continue;
        reached.add(to);
        longer.push([...way, to]);
      }
    }
    ways = longer;
  }
  return null;
}
