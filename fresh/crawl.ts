/**
 * Finds the routes and islands of an app in its folders. A file's place is its address: `routes/c/[id].tsx` is `/c/:id`.
 *
 * @module
 */
import { join, relative } from "node:path";
import type { Part } from "./segments.ts";

type Kind = Part | "middleware" | "route";

/** A file of `routes/`, by its path. */
export interface RouteFile {
  readonly kind: Kind;
  readonly file: string;
  /** Its folder below `routes/`, groups included: what surrounds it. */
  readonly segment: string;
  /** Its address, for a route. */
  readonly pattern: string;
}

type Crawled = { routes: RouteFile[]; islands: string[] };

const SPECIAL: Readonly<Record<string, Kind>> = {
  _app: "app",
  _middleware: "middleware",
  _layout: "layout",
  _error: "error",
  _500: "error",
  _404: "not_found",
};

/** The files of `routes/` in the order they must be registered, and the paths of the island files. */
export function crawl(routeDir: string, islandDir: string, ignore: readonly RegExp[] = []): Crawled {
  const routes: RouteFile[] = [];
  const islands = modulesOf(islandDir, ignore);
  for (const file of modulesOf(routeDir, ignore)) {
    const id = relative(routeDir, file).replaceAll("\\", "/").replace(/\.\w+$/, "");
    const folders = id.split("/").slice(0, -1);
    if (folders.includes("(_islands)")) islands.push(file);
    else if (!folders.some((folder) => folder.startsWith("(_"))) routes.push(routeFile(file, id));
  }
  return { routes: routes.sort(compareRoutes), islands: islands.sort() };
}

function routeFile(file: string, id: string): RouteFile {
  const steps = id.split("/");
  const name = steps.pop() ?? "";
  const kind = SPECIAL[name] ?? "route";
  if ((kind === "app" || kind === "not_found") && steps.length > 0) {
    throw new Error(`"${id}" must stand at the top of the routes folder; there is one for the whole app`);
  }
  return { kind, file, segment: `/${steps.join("/")}`, pattern: patternOf(id) };
}

/** The address of a route file, as a pattern: `/docs/[...rest]` → `/docs/:rest*`. */
export function patternOf(id: string): string {
  const steps = id.split("/").filter((step) => step !== "" && !/^\(.*\)$/.test(step));
  if (steps.at(-1) === "index") steps.pop();
  const pattern = steps.map((step) => {
    const [, optional, rest] = /^\[\[(\w+)\]\]$|^\[\.\.\.(\w+)\]$/.exec(step) ?? [];
    if (optional !== undefined) return `{/:${optional}}?`;
    return rest !== undefined ? `/:${rest}*` : `/${step.split(/(\[\w+\])/).map(patternPart).join("")}`;
  });
  return pattern.join("") || "/";
}

function patternPart(part: string): string {
  const parameter = /^\[(\w+)\]$/.exec(part);
  if (parameter !== null) return `:${parameter[1]}`;
  if (/[[\]]/.test(part)) throw new Error(`"${part}" is no part of a route's name; write "[name]"`);
  return encodeURI(part).replace(/[(){}*+?:\\]/g, "\\$&");
}

/** What surrounds comes first, from the top down; then routes, the more particular first. */
function compareRoutes(a: RouteFile, b: RouteFile): number {
  if (a.kind !== "route" || b.kind !== "route") {
    return Number(a.kind === "route") - Number(b.kind === "route") || a.segment.length - b.segment.length;
  }
  const [left, right] = [a.pattern.split("/"), b.pattern.split("/")];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [one = "", other = ""] = [left[index], right[index]];
    const order = rank(one) - rank(other) || one.localeCompare(other);
    if (order !== 0) return order;
  }
  return 0;
}

function rank(step: string): number {
  if (step === "") return 0;
  if (step.endsWith("*")) return 4;
  if (step.startsWith("{") || step.endsWith("{")) return 3;
  return step.includes(":") ? 2 : 1;
}

function modulesOf(folder: string, ignore: readonly RegExp[]): string[] {
  return entriesOf(folder).flatMap(({ name, isDirectory }) => {
    const path = join(folder, name);
    if (ignore.some((pattern) => pattern.test(path))) return [];
    if (isDirectory) return modulesOf(path, ignore);
    return /\.(?:[cm]?[jt]s|[jt]sx)$/.test(name) && !/[._]test\.\w+$|\.d\.ts$/.test(name) ? [path] : [];
  });
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)].sort((a, b) => a.name.localeCompare(b.name));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
