import { define } from "../../trace.ts";

export const handler = define.handlers(() => {
  throw new Error("boom");
});
