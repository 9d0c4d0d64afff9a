/**
 * Which model makes pictures, speaks or writes down what is said. Only its own variable names it; none is ever guessed (K-324).
 *
 * @module
 */
import {
  BadModelString,
  type ModelString,
  parseModelString,
  providerAddress,
  providerKey,
  providerLabel,
  splitCredentials,
} from "../model/mod.ts";

/** What media models do. */
export const MEDIA_KINDS = ["image", "speech", "transcription"] as const;

export type MediaKind = typeof MEDIA_KINDS[number];

type ReadEnv = (name: string) => string | undefined;

/** What kept a model from answering; `message` is a sentence. */
export class MediaRefused extends Error {
  override readonly name = "MediaRefused";
}

/** Where a model is asked. */
export interface MediaEndpoint {
  readonly id: string;
  /** What people call its server, as a sentence begins with it. */
  readonly label: string;
  /** Without a slash at the end. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The variable that names the model of a kind. */
export function mediaVariable(kind: MediaKind): string {
  return `MALAMA_${kind.toUpperCase()}_MODEL`;
}

/** What is wrong with the variables that are set, each a sentence. */
export function mediaProblems(env: ReadEnv): readonly string[] {
  return MEDIA_KINDS.flatMap((kind) => {
    const read = readModel(kind, env);
    return read !== null && "problem" in read ? [read.problem] : [];
  });
}

/** Whether a usable model is named. */
export function hasModel(kind: MediaKind, env: ReadEnv): boolean {
  const read = readModel(kind, env);
  return read !== null && "model" in read;
}

/** Where the model of a kind is asked. Throws `MediaRefused` when none that can be used is named. */
export function mediaEndpoint(kind: MediaKind, env: ReadEnv): MediaEndpoint {
  const read = readModel(kind, env);
  if (read === null) throw new MediaRefused(`No model is named: the person sets ${mediaVariable(kind)} for it`);
  if ("problem" in read) throw new MediaRefused(read.problem);
  const { model } = read;
  const { address, authorization } = splitCredentials(providerAddress(model, env));
  const key = providerKey(model.provider, env);
  return {
    id: model.id,
    label: providerLabel(model.provider).replace(/^./, (first) => first.toUpperCase()),
    address,
    headers: {
      ...authorization !== undefined && { authorization },
      ...key !== undefined && { authorization: `Bearer ${key}` },
    },
  };
}

function readModel(
  kind: MediaKind,
  env: ReadEnv,
): { readonly model: ModelString } | { readonly problem: string } | null {
  const text = env(mediaVariable(kind))?.trim() ?? "";
  if (text === "") return null;
  try {
    const model = parseModelString(text);
    if (!["demo", "anthropic", "google", "ollama"].includes(model.provider)) return { model };
    return {
      problem: `${mediaVariable(kind)}: ${model.provider} is not asked in OpenAI's way; write one that is, such as ` +
        `openai:${EXAMPLES[kind]} or openai-compat:<model>@http://localhost:8080/v1`,
    };
  } catch (error) {
    if (!(error instanceof BadModelString)) throw error;
    return { problem: `${mediaVariable(kind)}: ${error.message}` };
  }
}

const EXAMPLES: Readonly<Record<MediaKind, string>> = {
  image: "gpt-image-1",
  speech: "gpt-4o-mini-tts",
  transcription: "whisper-1",
};
