/**
 * Every call a program can make, in one table: the routes are served from it and the OpenAPI description is written from
 * it, so the two cannot drift (tests/web/openapi_test.ts walks the route files).
 *
 * @module
 */
import { z } from "zod";
import * as approvals from "./approval_schema.ts";
import { conversationOperations } from "./conversation_operations.ts";
import * as house from "./house_schema.ts";
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

/** The table, by operation id. */
export const operations = {
  ...conversationOperations,
  listAgents: {
    method: "GET",
    path: "/api/agents",
    summary: "The agents that are declared",
    status: 200,
    answer: schema.list(house.agent),
  },
  listToolsets: {
    method: "GET",
    path: "/api/toolsets",
    summary: "The toolsets that are installed",
    status: 200,
    answer: schema.list(house.toolset),
  },
  listSkills: {
    method: "GET",
    path: "/api/skills",
    summary: "The skills that are installed",
    status: 200,
    answer: schema.list(house.anything),
  },
  listMcpServers: {
    method: "GET",
    path: "/api/mcp",
    summary: "The MCP servers that are configured",
    status: 200,
    answer: schema.list(house.anything),
  },
  listModels: {
    method: "GET",
    path: "/api/models",
    summary: "The models that can be chosen; asks local servers and waits a second for them at most",
    query: house.modelQuery,
    status: 200,
    answer: schema.list(house.model),
  },
  getSettings: {
    method: "GET",
    path: "/api/settings",
    summary: "Every setting, where it comes from, and whether it can be changed",
    status: 200,
    answer: house.settings,
  },
  updateSettings: {
    method: "PATCH",
    path: "/api/settings",
    summary: "Change settings in the configuration file, keeping every other byte of it",
    body: house.settingsChange,
    status: 200,
    answer: house.settingsChanged,
    failures: [403, 409],
  },
  getDiagnostics: {
    method: "GET",
    path: "/api/diagnostics",
    summary: "What is going on, from memory; never waits for a turn",
    status: 200,
    answer: house.diagnostics,
  },
  getUsage: {
    method: "GET",
    path: "/api/usage",
    summary: "What was used, by day, agent or model",
    query: house.usageQuery,
    status: 200,
    answer: schema.list(house.usageRow),
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
    answer: schema.list(house.anything),
  },
  createLoginCode: {
    method: "POST",
    path: "/api/login-codes",
    summary: "Make a one-time link that signs a browser in",
    status: 201,
    answer: house.loginLink,
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
    answer: house.anything,
  },
  getHealth: {
    method: "GET",
    path: "/healthz",
    summary: "Whether Malama runs, and whether its start is finished",
    status: 200,
    answer: house.health,
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
