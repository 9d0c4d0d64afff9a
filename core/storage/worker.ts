/**
 * The storage worker: libSQL's client is synchronous underneath, so it runs here and the main thread stays free to stream.
 * Requests are done one at a time, in the order they come.
 *
 * @module
 */
/// <reference lib="deno.worker" />
import { Engine } from "./engine.ts";
import { toFailure } from "./failure.ts";
import type { AnswerMessage, Answers, Request, RequestMessage, WorkerMessage } from "./protocol.ts";

const scope = self as unknown as DedicatedWorkerGlobalScope;
let engine: Engine | null = null;
let last: Promise<void> = Promise.resolve();

scope.onmessage = (event: MessageEvent<RequestMessage>) => {
  const { id, request } = event.data;
  last = last.then(async () => scope.postMessage(await answer(id, request)));
};

async function answer(id: number, request: Request): Promise<AnswerMessage> {
  try {
    return { id, ok: true, value: await perform(request) };
  } catch (error) {
    return { id, ok: false, failure: toFailure(error) };
  }
}

async function perform(request: Request): Promise<Answers[Request["op"]]> {
  switch (request.op) {
    case "open":
      engine = await Engine.open({
        location: request.location,
        now: request.now,
        onReport: (report) => scope.postMessage({ report } satisfies WorkerMessage),
      });
      return engine.report;
    case "read":
      return await opened().read(request.statement);
    case "write":
      return await opened().write(request.groups);
    case "close":
      await engine?.close();
      engine = null;
      return null;
    default:
      return request satisfies never;
  }
}

function opened(): Engine {
  if (engine === null) throw new Error("The database is not open");
  return engine;
}
