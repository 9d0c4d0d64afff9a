import { define } from "../../trace.ts";

export const handler = define.middleware((ctx) => {
  ctx.state.through?.push("blog");
  return ctx.next();
});
