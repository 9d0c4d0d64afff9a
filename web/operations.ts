/**
 * Every call a program can make, in one table: the routes are served from it and the OpenAPI description is written from
 * it, so the two cannot drift (tests/web/openapi_test.ts walks the route files).
 *
 * @module
 */
import { z } from "zod";
import * as approvals from "./approval_schema.ts";
import { memoryOperations } from "./memory_operations.ts";
import * as schema from "./schema.ts";

/** How a call is made and answered. */
export interface Operation {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** With `:name` for its parameters, as in the route files; `:name*` holds slashes. */
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The body is not JSON: the operation reads it itself, as it comes. How long it may be is in `bodyLimit`. */
  readonly raw?: { readonly type: string; readonly about: string };
  /** The status of success, and what it holds: a schema for JSON, a word for anything else. */
  readonly status: number;
  readonly answer: z.ZodType | "nothing" | "file" | "socket";
  /** Statuses of failure besides those every call may have. */
  readonly failures?: readonly number[];
  /** Needs no authentication. */
  readonly open?: boolean;
}

const one = "/api/conversations/:id";

/** The table, by operation id. */
export const operations = {
  listConversations: {
    method: "GET",
    path: "/api/conversations",
    summary: "Conversations, newest first",
    query: schema.conversationQuery,
    status: 200,
    answer: schema.conversationPage,
  },
  createConversation: {
    method: "POST",
    path: "/api/conversations",
    summary: "Start a conversation",
    body: schema.conversationDraft,
    status: 201,
    answer: schema.conversation,
  },
  getConversation: {
    method: "GET",
    path: one,
    summary: "A conversation with the turns in view",
    status: 200,
    answer: schema.conversationDetail,
    failures: [404],
  },
  updateConversation: {
    method: "PATCH",
    path: one,
    summary: "Rename, pin, or choose a model",
    body: schema.conversationChange,
    status: 200,
    answer: schema.conversation,
    failures: [404, 409],
  },
  deleteConversation: {
    method: "DELETE",
    path: one,
    summary: "Stop its turn and delete it; it can be restored for ten minutes",
    status: 204,
    answer: "nothing",
    failures: [404],
  },
  restoreConversation: {
    method: "POST",
    path: `${one}/restore`,
    summary: "Bring a deleted conversation back",
    status: 200,
    answer: schema.conversation,
    failures: [404],
  },
  sendMessage: {
    method: "POST",
    path: `${one}/messages`,
    summary: "Send a message; it is durable when this answers",
    body: schema.messageDraft,
    status: 202,
    answer: schema.messageReceipt,
    failures: [404],
  },
  storeAttachment: {
    method: "POST",
    path: "/api/attachments",
    summary: "Store a picture or a text file that a message will name; kept for 24 hours until one does",
    query: schema.attachmentQuery,
    raw: {
      type: "application/octet-stream",
      about: "The file as it is: PNG, JPEG, GIF, WebP, or UTF-8 text of at most 2 MB. Its bytes decide what it is",
    },
    status: 201,
    answer: schema.attachment,
  },
  stopTurn: {
    method: "POST",
    path: `${one}/stop`,
    summary: "Stop the turn that runs",
    status: 200,
    answer: z.object({ stopped: z.boolean() }),
    failures: [404],
  },
  continueTurn: {
    method: "POST",
    path: `${one}/continue`,
    summary: "Go on after an interrupted, stopped or failed turn",
    status: 202,
    answer: z.object({ turn: z.string() }),
    failures: [404, 409],
  },
  regenerateTurn: {
    method: "POST",
    path: `${one}/turns/:turn/regenerate`,
    summary: "Another answer to the same message, beside the first; waits in line while a turn runs",
    body: schema.rerun,
    status: 202,
    answer: schema.startedTurn,
    failures: [404],
  },
  editTurn: {
    method: "POST",
    path: `${one}/turns/:turn/edit`,
    summary: "Another message in the same place, beside the first; its pictures and files stay",
    body: schema.newText,
    status: 202,
    answer: schema.startedTurn,
    failures: [404],
  },
  listPending: {
    method: "GET",
    path: `${one}/pending`,
    summary: "Messages that wait, in the order they will be read or run",
    status: 200,
    answer: schema.list(schema.pendingMessage),
    failures: [404],
  },
  changePending: {
    method: "PATCH",
    path: `${one}/pending/:message`,
    summary: "Change a message that waits; 404 when it was read or run meanwhile",
    body: schema.newText,
    status: 200,
    answer: schema.pendingMessage,
    failures: [404],
  },
  takePending: {
    method: "DELETE",
    path: `${one}/pending/:message`,
    summary: "Take back a message that waits; 404 when it was read or run meanwhile",
    status: 204,
    answer: "nothing",
    failures: [404],
  },
  sendPending: {
    method: "POST",
    path: `${one}/pending/:message/send`,
    summary: "Send a message that waits before all others: into the running turn, or to the front of the line",
    status: 200,
    answer: schema.messageReceipt,
    failures: [404],
  },
  nameConversation: {
    method: "POST",
    path: `${one}/title`,
    summary: "Ask the model for a title from the whole conversation; the row is announced when it has answered",
    status: 202,
    answer: "nothing",
    failures: [404],
  },
  setHead: {
    method: "PUT",
    path: `${one}/head`,
    summary: "Show another branch: the newest end at or below this turn",
    body: schema.turnChoice,
    status: 200,
    answer: schema.conversationDetail,
    failures: [404],
  },
  branchConversation: {
    method: "POST",
    path: `${one}/branch`,
    summary: "A new conversation with the path through this turn",
    body: schema.turnChoice,
    status: 201,
    answer: schema.conversation,
    failures: [404],
  },
  truncateConversation: {
    method: "POST",
    path: `${one}/truncate`,
    summary: "Delete this turn and everything below it for good; its other versions stay",
    body: schema.turnChoice,
    status: 200,
    answer: schema.conversationDetail,
    failures: [404, 409],
  },
  duplicateConversation: {
    method: "POST",
    path: `${one}/duplicate`,
    summary: "A new conversation with all of it, every branch",
    status: 201,
    answer: schema.conversation,
    failures: [404],
  },
  importConversation: {
    method: "POST",
    path: "/api/import",
    summary: "A new conversation from a JSONL export: all of it or nothing",
    raw: { type: "application/jsonl", about: "What `exportConversation` gave as `jsonl`, 1 GiB at most" },
    status: 201,
    answer: schema.conversation,
  },
  listEntries: {
    method: "GET",
    path: `${one}/entries`,
    summary: "Entries in order of seq",
    query: schema.entryQuery,
    status: 200,
    answer: schema.entryPage,
    failures: [404],
  },
  exportConversation: {
    method: "GET",
    path: `${one}/export`,
    summary: "The conversation as a file: Markdown to keep, or JSONL from which it can be rebuilt",
    query: schema.exportQuery,
    status: 200,
    answer: "file",
    failures: [404],
  },
  search: {
    method: "GET",
    path: "/api/search",
    summary: "Where words were said, over all conversations",
    query: schema.searchQuery,
    status: 200,
    answer: schema.list(schema.searchHit),
    failures: [409],
  },
  listAgents: {
    method: "GET",
    path: "/api/agents",
    summary: "The agents that are declared",
    status: 200,
    answer: schema.list(schema.agent),
  },
  listToolsets: {
    method: "GET",
    path: "/api/toolsets",
    summary: "The toolsets that are installed",
    status: 200,
    answer: schema.list(schema.toolset),
  },
  listSkills: {
    method: "GET",
    path: "/api/skills",
    summary: "The skills that are installed",
    status: 200,
    answer: schema.list(schema.anything),
  },
  listMcpServers: {
    method: "GET",
    path: "/api/mcp",
    summary: "The MCP servers that are configured",
    status: 200,
    answer: schema.list(schema.anything),
  },
  listModels: {
    method: "GET",
    path: "/api/models",
    summary: "The models that can be chosen; asks local servers and waits a second for them at most",
    query: schema.modelQuery,
    status: 200,
    answer: schema.list(schema.model),
  },
  getSettings: {
    method: "GET",
    path: "/api/settings",
    summary: "Every setting, where it comes from, and whether it can be changed",
    status: 200,
    answer: schema.settings,
  },
  updateSettings: {
    method: "PATCH",
    path: "/api/settings",
    summary: "Change settings in the configuration file, keeping every other byte of it",
    body: schema.settingsChange,
    status: 200,
    answer: schema.settingsChanged,
    failures: [403, 409],
  },
  getDiagnostics: {
    method: "GET",
    path: "/api/diagnostics",
    summary: "What is going on, from memory; never waits for a turn",
    status: 200,
    answer: schema.diagnostics,
  },
  getUsage: {
    method: "GET",
    path: "/api/usage",
    summary: "What was used, by day, agent or model",
    query: schema.usageQuery,
    status: 200,
    answer: schema.list(schema.usageRow),
  },
  listApprovals: {
    method: "GET",
    path: "/api/approvals",
    summary: "Decisions that wait, over all conversations",
    status: 200,
    answer: schema.list(approvals.approval),
  },
  answerApproval: {
    method: "POST",
    path: "/api/approvals/:conversation/:seq",
    summary: "Allow or deny a call that waits; 409 when it was decided before, or its turn is over",
    body: approvals.approvalAnswer,
    status: 200,
    answer: approvals.decidedApproval,
    failures: [404, 409],
  },
  listApprovalRules: {
    method: "GET",
    path: "/api/approval-rules",
    summary: "What is allowed from now on",
    query: approvals.ruleQuery,
    status: 200,
    answer: schema.list(approvals.approvalRule),
  },
  revokeApprovalRule: {
    method: "DELETE",
    path: "/api/approval-rules/:id",
    summary: "End a rule; it can be restored for ten minutes",
    status: 204,
    answer: "nothing",
    failures: [404],
  },
  restoreApprovalRule: {
    method: "POST",
    path: "/api/approval-rules/:id/restore",
    summary: "Bring a rule back that was ended",
    status: 200,
    answer: approvals.approvalRule,
    failures: [404],
  },
  listTasks: {
    method: "GET",
    path: "/api/tasks",
    summary: "The tasks that are declared",
    status: 200,
    answer: schema.list(schema.anything),
  },
  createLoginCode: {
    method: "POST",
    path: "/api/login-codes",
    summary: "Make a one-time link that signs a browser in",
    status: 201,
    answer: schema.loginLink,
    failures: [409],
  },
  signOut: {
    method: "POST",
    path: "/api/sign-out",
    summary: "End this browser's session",
    status: 204,
    answer: "nothing",
  },
  getOpenapi: {
    method: "GET",
    path: "/api/openapi.json",
    summary: "This description",
    status: 200,
    answer: schema.anything,
  },
  getHealth: {
    method: "GET",
    path: "/healthz",
    summary: "Whether Malama runs, and whether its start is finished",
    status: 200,
    answer: schema.health,
    open: true,
  },
  getPayload: {
    method: "GET",
    path: "/payloads/:hash",
    summary: "A captured request or an oversized result",
    query: z.object({ download: z.string().optional().describe("Save it under this name") }),
    status: 200,
    answer: "file",
    failures: [404],
  },
  getImage: {
    method: "GET",
    path: "/images/:hash",
    summary: "A picture of a message",
    query: z.object({ download: z.string().optional().describe("Save it under this name") }),
    status: 200,
    answer: "file",
    failures: [404],
  },
  getDownload: {
    method: "GET",
    path: "/downloads/:name",
    summary: "A file that was made for the person",
    query: z.object({ download: z.string().optional().describe("Save it under this name") }),
    status: 200,
    answer: "file",
    failures: [404],
  },
  openLiveSocket: {
    method: "GET",
    path: "/live",
    summary: "The live socket: a WebSocket of JSON frames",
    status: 101,
    answer: "socket",
    failures: [426],
  },
  ...memoryOperations,
} as const satisfies Record<string, Operation>;

/** The table with all its schemas, for what is inferred from it. */
export type Operations = typeof operations;

/** The id of one operation. */
export type OperationName = keyof Operations;
