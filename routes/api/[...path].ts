import { unknownCall } from "../../web/operation_handler.ts";
import { define } from "../../web/state.ts";

export const handler = define.handlers(unknownCall);
