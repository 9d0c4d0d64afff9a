/** The web room: listening, authentication, the live hub, problem details, and what every route is written with. */
export * from "./listen_errors.ts";
export { BadTokenFile } from "./token_file.ts";
export { type RunningServer, serve, type ServeOptions } from "./serve.ts";
export { authenticate } from "./authentication.ts";
export { readBytes } from "./body.ts";
export { conversationMade, requireConversation } from "./conversation_request.ts";
export { drainBody } from "./body.ts";
export { cookiesOf } from "./cookies.ts";
export { login, type LoginView } from "./login.ts";
export { describe } from "./openapi.ts";
export { json, serveOperations } from "./operation_handler.ts";
export { notFound, problem, RequestProblem } from "./problem.ts";
export { define, type State } from "./state.ts";
export { blobAnswer, fileResponse, openDownload, PICTURE } from "./stored_file.ts";
