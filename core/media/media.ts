/**
 * Pictures, speech and transcription from servers that speak OpenAI's protocol (K-324, K-328).
 *
 * Invariants (tests/toolsets/image_test.ts, speech_test.ts, transcription_test.ts)
 * 1. A request goes to the server the person named, through the one door out, and a key to no other host.
 * 2. What comes back is what it should be, or a refusal that says what came instead: no page of an error as a picture.
 *
 * @module
 */
import { z } from "zod";
import { type Egress, EgressError, type EgressResponse } from "../egress/mod.ts";
import { readPicture } from "../log/mod.ts";
import { hasModel, type MediaEndpoint, mediaEndpoint, type MediaKind, MediaRefused } from "./endpoint.ts";

/** Largest recording that is taken, in bytes: what the protocol allows. */
export const AUDIO_BYTES = 25 * 1024 * 1024;

/** Formats of speech. */
export const SPEECH_FORMATS = ["mp3", "wav", "opus", "aac", "flac"] as const;

export type SpeechFormat = typeof SPEECH_FORMATS[number];

/** The models. Everything but `has` throws `MediaRefused`, and the signal's reason. */
export interface Media {
  /** Whether a model of that kind is named and can be used. */
  has(kind: MediaKind): boolean;
  generateImage(
    wanted: { readonly prompt: string; readonly size?: string },
    signal: AbortSignal,
  ): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly mediaType: string; readonly revisedPrompt?: string }>;
  speak(
    wanted: { readonly text: string; readonly voice: string; readonly format: SpeechFormat },
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>>;
  transcribe(
    recording: { readonly bytes: Uint8Array<ArrayBuffer>; readonly name: string; readonly language?: string },
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly language?: string; readonly seconds?: number }>;
}

export interface MediaOptions {
  /** Asked for on first use. */
  readonly egress: () => Egress;
  readonly env: (name: string) => string | undefined;
}

const TIMEOUT_MS: Readonly<Record<MediaKind, number>> = {
  image: 240_000,
  speech: 120_000,
  transcription: 300_000,
};
const ANSWER_BYTES = 64 * 1024 * 1024;

const picture = z.object({
  data: z.array(z.object({
    b64_json: z.string().nullish(),
    url: z.string().nullish(),
    revised_prompt: z.string().nullish(),
  })).min(1),
});
const transcript = z.object({
  text: z.string(),
  // One word, as it is told outside of what is fenced; anything else is as if it were left out.
  language: z.string().regex(/^[\p{L}-]{1,40}$/u).nullish().catch(null),
  duration: z.coerce.number().nullish(),
});

/** Makes the models. Opens nothing. */
export function createMedia({ egress, env }: MediaOptions): Media {
  const ask = async (kind: MediaKind, path: string, message: Message, signal: AbortSignal) => {
    const endpoint = mediaEndpoint(kind, env);
    const answer = await send(egress(), endpoint, { url: `${endpoint.address}${path}`, kind, ...message }, signal);
    return { endpoint, answer };
  };
  return {
    has: (kind) => hasModel(kind, env),

    async generateImage({ prompt, size }, signal) {
      const { id } = mediaEndpoint("image", env);
      const body = {
        model: id,
        prompt,
        n: 1,
        ...size !== undefined && { size },
        // The newer models always give the bytes and refuse the key.
        ...!id.startsWith("gpt-image") && { response_format: "b64_json" },
      };
      const { endpoint, answer } = await ask("image", "/images/generations", json(body), signal);
      const first = parsed(picture, answer, endpoint).data[0];
      const bytes = first?.b64_json ? fromBase64(first.b64_json, endpoint) : await linked(first?.url ?? "", signal);
      const mediaType = readPicture(bytes)?.media_type;
      if (mediaType === undefined) {
        throw new MediaRefused(`${endpoint.label} answered with something that is no picture`);
      }
      return { bytes, mediaType, ...first?.revised_prompt ? { revisedPrompt: first.revised_prompt } : {} };
    },

    async speak({ text, voice, format }, signal) {
      const { id } = mediaEndpoint("speech", env);
      const body = { model: id, input: text, voice, response_format: format };
      const { endpoint, answer } = await ask("speech", "/audio/speech", json(body), signal);
      const type = answer.headers.get("content-type") ?? "";
      if (/^(?:text\/|application\/(?:.*\+)?json)/i.test(type) || answer.bytes.length === 0) {
        throw new MediaRefused(`${endpoint.label} answered with ${type || "nothing"} instead of sound`);
      }
      return answer.bytes;
    },

    async transcribe({ bytes, name, language }, signal) {
      const { id } = mediaEndpoint("transcription", env);
      const form = new FormData();
      form.set("model", id);
      form.set("file", new Blob([bytes]), name);
      if (language !== undefined) form.set("language", language);
      const { endpoint, answer } = await ask("transcription", "/audio/transcriptions", await packed(form), signal);
      const { text, language: heard, duration } = parsed(transcript, answer, endpoint);
      return { text, ...heard ? { language: heard } : {}, ...typeof duration === "number" && { seconds: duration } };
    },
  };

  /** A picture that is named by its address. That is the server's word: it gets no key, and no way into a private network. */
  async function linked(url: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const { address, label } = mediaEndpoint("image", env);
    if (url === "") throw new MediaRefused(`${label} answered without a picture`);
    const { origin } = new URL(address);
    try {
      const answer = await egress().fetch(url, { signal, maxBytes: ANSWER_BYTES, trusted: [origin] });
      return answer.bytes;
    } catch (error) {
      throw said(error, label);
    }
  }
}

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

function json(body: unknown): Message {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

async function packed(form: FormData): Promise<Message> {
  const response = new Response(form);
  const type = response.headers.get("content-type") ?? "multipart/form-data";
  return { headers: { "content-type": type }, body: new Uint8Array(await response.arrayBuffer()) };
}

async function send(
  egress: Egress,
  { label, address, headers }: MediaEndpoint,
  { url, kind, ...message }: Message & { readonly url: string; readonly kind: MediaKind },
  signal: AbortSignal,
): Promise<EgressResponse> {
  const ms = TIMEOUT_MS[kind];
  try {
    const answer = await egress.fetch(url, {
      method: "POST",
      headers: { ...headers, ...message.headers },
      body: message.body,
      signal,
      maxBytes: ANSWER_BYTES,
      timeoutMs: ms,
      firstByteMs: ms,
      trusted: [new URL(address).origin],
    });
    if (answer.status < 300) return answer;
    throw new MediaRefused(`${label} answered ${answer.status}${reasonOf(answer)}`);
  } catch (error) {
    throw said(error, label);
  }
}

/** What a server said about an error, one line. */
function reasonOf({ bytes }: EgressResponse): string {
  const text = new TextDecoder().decode(bytes.subarray(0, 4000));
  const found = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) }).safeParse(
    parseJson(text),
  );
  const error = found.success ? found.data.error : text;
  const line = (typeof error === "string" ? error : error.message).replaceAll(/\s+/g, " ").trim();
  return line === "" ? "" : `: ${line.slice(0, 300)}`;
}

function parsed<T>(schema: z.ZodType<T>, { bytes }: EgressResponse, { label }: MediaEndpoint): T {
  const answer = schema.safeParse(parseJson(new TextDecoder().decode(bytes)));
  if (answer.success) return answer.data;
  throw new MediaRefused(`${label} answered in a form that is not OpenAI's: see whether its address is right`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fromBase64(text: string, { label }: MediaEndpoint): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.fromBase64(text);
  } catch (error) {
    throw new MediaRefused(`${label} answered with a picture that cannot be unpacked`, { cause: error });
  }
}

function said(error: unknown, label: string): unknown {
  if (!(error instanceof EgressError)) return error;
  return new MediaRefused(`${label} could not be asked: ${error.message}`, { cause: error });
}
