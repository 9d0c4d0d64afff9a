import { define } from "../../trace.ts";

export const handler = define.handlers((ctx) => ctx.text(`rest ${ctx.params.rest}`));
