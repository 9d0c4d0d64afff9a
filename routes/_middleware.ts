import { authenticate, define } from "../web/mod.ts";

export default define.middleware(authenticate);
