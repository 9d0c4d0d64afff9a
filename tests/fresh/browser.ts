import type { Page } from "playwright-core";
import { fixtureApp, type FixtureOptions } from "./fixture/app.ts";

/** The policy of the product: no inline script, no inline style. */
export const STRICT_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'";

/** The fixture under the strict policy on a free port of this machine. */
export async function serveFixture(options: FixtureOptions = {}): Promise<{ url: string } & AsyncDisposable> {
  const { app } = await fixtureApp({
    ...options,
    middleware: async (ctx) => {
      const answer = await ctx.next();
      answer.headers.set("content-security-policy", STRICT_CSP);
      return answer;
    },
  });
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, app.handler());
  return {
    url: `http://127.0.0.1:${server.addr.port}${options.basePath ?? ""}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** What went wrong in a page: errors, refused requests, violations of the policy. */
export function watchTrouble(page: Page): string[] {
  const trouble: string[] = [];
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") trouble.push(`console: ${message.text()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) trouble.push(`${response.status()} ${response.url()}`);
  });
  return trouble;
}
