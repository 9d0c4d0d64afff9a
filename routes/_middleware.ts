import { authenticate } from "../web/authentication.ts";
import { define } from "../web/state.ts";

export default define.middleware(authenticate);
