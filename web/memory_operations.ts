/**
 * The calls about memories and documents; a part of the one table in `operations.ts`.
 *
 * @module
 */
import * as schema from "./memory_schema.ts";

const memories = "/api/memories";
const documents = "/api/documents";

/** By operation id. */
export const memoryOperations = {
  listMemories: {
    method: "GET",
    path: memories,
    summary: "What is remembered: the newest first, or what answers a search",
    query: schema.memoryQuery,
    status: 200,
    answer: schema.memoryPage,
  },
  addMemory: {
    method: "POST",
    path: memories,
    summary: "Remember a fact; an equal one that is there already is answered instead",
    body: schema.memoryText,
    status: 201,
    answer: schema.memory,
  },
  updateMemory: {
    method: "PATCH",
    path: `${memories}/:id`,
    summary: "Change the text of a memory; 409 when another one says the same",
    body: schema.memoryText,
    status: 200,
    answer: schema.memory,
    failures: [404, 409],
  },
  deleteMemory: {
    method: "DELETE",
    path: `${memories}/:id`,
    summary: "Forget it; it can be restored for ten minutes",
    status: 204,
    answer: "nothing",
    failures: [404],
  },
  restoreMemory: {
    method: "POST",
    path: `${memories}/:id/restore`,
    summary: "Bring a deleted memory back",
    status: 200,
    answer: schema.memory,
    failures: [404],
  },
  listDocuments: {
    method: "GET",
    path: documents,
    summary: "The documents in order of their paths, or what a search finds",
    query: schema.documentQuery,
    status: 200,
    answer: schema.documentPage,
  },
  getDocument: {
    method: "GET",
    path: `${documents}/:path*`,
    summary: "A whole document; the path keeps its slashes",
    status: 200,
    answer: schema.document,
    failures: [400, 404],
  },
  putDocument: {
    method: "PUT",
    path: `${documents}/:path*`,
    summary: "Create a document, or replace it",
    body: schema.documentText,
    status: 200,
    answer: schema.documentInfo,
    failures: [409],
  },
  deleteDocument: {
    method: "DELETE",
    path: `${documents}/:path*`,
    summary: "Delete a document for good",
    status: 204,
    answer: "nothing",
    failures: [404],
  },
} as const;
