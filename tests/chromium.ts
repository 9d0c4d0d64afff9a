/**
 * The real browser that tests of the page drive: Debian's Chromium.
 *
 * On a machine without one these tests are ignored, and said so, rather than failed: the README's test command must work
 * with nothing but Node. `.ci/run` installs Chromium first, so there they always run.
 *
 * @module
 */
import { type Browser, chromium } from "playwright-core";

const EXECUTABLE = Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium";

/** Whether there is a browser to drive. */
export const hasChromium = isFile(EXECUTABLE);

/** Headless, quiet and without a sandbox of its own. Without Chromium, a stand-in that can only be closed. */
export async function startChromium(): Promise<Browser> {
  if (!hasChromium) return { close: () => Promise.resolve() } as Browser;
  return await chromium.launch({
    executablePath: EXECUTABLE,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"],
  });
}

type Run = (context: Deno.TestContext) => void | Promise<void>;

/** A test that needs the browser. */
export function browserTest(name: string, options: Omit<Deno.TestDefinition, "fn" | "name"> | Run, run?: Run): void {
  const [rest, fn] = typeof options === "function" ? [{}, options] : [options, run!];
  if (!hasChromium) console.warn(`Ignored, since there is no ${EXECUTABLE}: ${name}`);
  Deno.test({ ...rest, name, ignore: !hasChromium, fn });
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
