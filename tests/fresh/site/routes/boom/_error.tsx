import { define } from "../../trace.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.json({ title: ctx.error instanceof Error ? ctx.error.message : "" }, { status: 502 }),
});
