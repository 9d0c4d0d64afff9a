import { define } from "../trace.ts";

export default define.middleware([
  (ctx) => {
    ctx.state.through = ["first"];
    return ctx.next();
  },
  (ctx) => {
    ctx.state.through?.push("second");
    return ctx.next();
  },
]);
