/**
 * Forms, for those who have no scripts: what a person posted, and the way back to the page.
 *
 * @module
 */
import type { Context } from "fresh";
import type { State } from "../../web/mod.ts";

/** What was posted. Anything that is not a form is an empty one. */
export async function readForm(ctx: Context<State>): Promise<URLSearchParams> {
  const type = ctx.req.headers.get("content-type") ?? "";
  if (type.startsWith("application/x-www-form-urlencoded")) return new URLSearchParams(await ctx.req.text());
  if (!type.startsWith("multipart/form-data")) return new URLSearchParams();
  const fields = [...await ctx.req.formData()].filter((field): field is [string, string] =>
    typeof field[1] === "string"
  );
  return new URLSearchParams(fields);
}

/** To the end of a conversation, as an answer to a form. */
export function toConversation(ctx: Context<State>, id: string): Response {
  return ctx.redirect(`${ctx.config.basePath}/c/${id}#say`, 303);
}
