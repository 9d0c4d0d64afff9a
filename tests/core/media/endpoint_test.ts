import assert from "node:assert/strict";
import { hasModel, mediaEndpoint, mediaProblems, MediaRefused } from "../../../core/media/endpoint.ts";

const from = (variables: Readonly<Record<string, string>>) => (name: string) => variables[name];

Deno.test("each kind has a variable of its own, and none is ever guessed (K-324)", () => {
  const env = from({ MALAMA_MODEL: "openai:gpt-5", OPENAI_API_KEY: "k", MALAMA_SPEECH_MODEL: "openai:tts-1" });
  assert.deepEqual([hasModel("image", env), hasModel("speech", env), hasModel("transcription", env)], [
    false,
    true,
    false,
  ]);
  assert.throws(() => mediaEndpoint("image", env), { name: "MediaRefused", message: /MALAMA_IMAGE_MODEL/ });
});

Deno.test("a model is asked at its provider's address, or at the one in its string, with the key of the environment", () => {
  const env = from({
    MALAMA_IMAGE_MODEL: "openai:gpt-image-1",
    MALAMA_SPEECH_MODEL: "openai-compat:kokoro@http://me:secret@localhost:8880/v1",
    OPENAI_API_KEY: "k",
  });
  assert.deepEqual(mediaEndpoint("image", env), {
    id: "gpt-image-1",
    label: "OpenAI",
    address: "https://api.openai.com/v1",
    headers: { authorization: "Bearer k" },
  });
  assert.deepEqual(mediaEndpoint("speech", env), {
    id: "kokoro",
    label: "The server",
    address: "http://localhost:8880/v1",
    headers: { authorization: `Basic ${btoa("me:secret")}` },
  });
});

Deno.test("what cannot be asked is told by the name of its variable, and does not count as named", () => {
  const env = from({
    MALAMA_IMAGE_MODEL: "painter",
    MALAMA_SPEECH_MODEL: "anthropic:claude",
    MALAMA_TRANSCRIPTION_MODEL: " ",
  });
  const [image, speech, ...rest] = mediaProblems(env);
  assert.match(image ?? "", /^MALAMA_IMAGE_MODEL: "painter" is not a model/);
  assert.match(
    speech ?? "",
    /^MALAMA_SPEECH_MODEL: anthropic is not asked in OpenAI's way; write one that is, such as/,
  );
  assert.deepEqual(rest, []);
  assert.equal(hasModel("image", env), false);
  assert.throws(() => mediaEndpoint("speech", env), MediaRefused);
});
