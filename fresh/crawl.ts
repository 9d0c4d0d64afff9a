/**
 * Finds the routes and islands of an app in its folders. A file's place is its address: `routes/c/[id].tsx` is `/c/:id`.
 *
 * @module
 */
import { join, relative } from "node:path";

/** What a file of `routes/` is. */
export type RouteFileKind = "app" | "middleware" | "layout" | "error" | "not_found" | "route";

/** A file of `routes/`. */
export interface RouteFile {
  readonly kind: RouteFileKind;
  /** Where the file is. */
  readonly file: string;
  /** Its folder below `routes/`, groups included: what surrounds it. */
  readonly segment: string;
  /** Its address, for a route. */
  readonly pattern: string;
}

/** What a crawl found. Routes come in the order they must be registered; islands are paths of files. */
export interface CrawledFiles {
  readonly routes: readonly RouteFile[];
  readonly islands: readonly string[];
}

const SPECIAL: Readonly<Record<string, RouteFileKind>> = {
  _app: "app",
  _middleware: "middleware",
  _layout: "layout",
  _error: "error",
  _500: "error",
  _404: "not_found",
};

/** Reads both folders; one that does not exist is empty. */
export function crawl(routeDir: string, islandDir: string, ignore: readonly RegExp[] = []): CrawledFiles {
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
  if (kind === "app" && steps.length > 0) {
    throw new Error(`"${id}" must stand at the top of the routes folder; there is one app component`);
  }
  return { kind, file, segment: `/${steps.join("/")}`, pattern: patternOf(id) };
}

/** The address of a route file, as a pattern: `/docs/[...rest]` → `/docs/:rest*`. */
export function patternOf(id: string): string {
  const steps = id.split("/").filter((step) => step !== "" && !/^\(.*\)$/.test(step));
  if (steps.at(-1) === "index") steps.pop();
  let pattern = "";
  for (const step of steps) {
    const optional = /^\[\[(\w+)\]\]$/.exec(step);
    const rest = /^\[\.\.\.(\w+)\]$/.exec(step);
    if (optional !== null) pattern += `{/:${optional[1]}}?`;
    else if (rest !== null) pattern += `/:${rest[1]}*`;
    else pattern += `/${step.split(/(\[\w+\])/).map(patternPart).join("")}`;
  }
  return pattern === "" ? "/" : pattern;
}

function patternPart(part: string): string {
  const parameter = /^\[(\w+)\]$/.exec(part);
  if (parameter !== null) return `:${parameter[1]}`;
  if (/[[\]]/.test(part)) throw new Error(`"${part}" is no part of a route's name; write "[name]"`);
  return encodeURI(part).replace(/[(){}*+?:\\]/g, "\\$&");
}

/** What surrounds comes first, from the top down; then routes, the more particular first. */
function compareRoutes(a: RouteFile, b: RouteFile): number {
  const isRoute = Number(a.kind === "route") - Number(b.kind === "route");
  if (isRoute !== 0) return isRoute;
  if (a.kind !== "route") return depth(a.segment) - depth(b.segment) || a.file.localeCompare(b.file);
  const [left, right] = [a.pattern.split("/"), b.pattern.split("/")];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const order = rank(left[index]) - rank(right[index]) || (left[index] ?? "").localeCompare(right[index] ?? "");
    if (order !== 0) return order;
  }
  return 0;
}

function rank(step: string | undefined): number {
  if (step === undefined) return 0;
  if (/^:\w+\*$/.test(step)) return 4;
  if (step.startsWith("{") || step.endsWith("{")) return 3;
  return step.includes(":") ? 2 : 1;
}

function depth(segment: string): number {
  return segment === "/" ? 0 : segment.split("/").length - 1;
}

function modulesOf(folder: string, ignore: readonly RegExp[]): string[] {
  const files: string[] = [];
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (ignore.some((pattern) => pattern.test(path))) continue;
    if (entry.isDirectory) files.push(...modulesOf(path, ignore));
    else if (/\.(?:[cm]?[jt]s|[jt]sx)$/.test(entry.name) && !/[._]test\.\w+$|\.d\.ts$/.test(entry.name)) {
      files.push(path);
    }
  }
  return files;
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)].sort((a, b) => a.name.localeCompare(b.name));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
