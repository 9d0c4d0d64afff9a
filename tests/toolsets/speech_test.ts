import assert from "node:assert/strict";
import { join } from "node:path";
import { speech } from "../../toolsets/speech.ts";
import { withMedia } from "./media_fixture.ts";
import { callTool, toolsetContext } from "./toolset_fixture.ts";

const SOUND = new Uint8Array([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 0]);
const spoken = () => new Response(SOUND, { headers: { "content-type": "audio/mpeg" } });

Deno.test("speak asks the model that MALAMA_SPEECH_MODEL names, and leaves the recording where the page has it (K-324, K-328)", () =>
  withMedia(spoken, async ({ services, seen, downloads }) => {
    const output = await callTool(speech, "speak", { text: "Good morning, ../everyone!" }, { services });
    assert.deepEqual(seen, [{
      path: "/v1/audio/speech",
      authorization: "Bearer a-key",
      body: { model: "speaker", input: "Good morning, ../everyone!", voice: "alloy", response_format: "mp3" },
    }]);
    const name = "speech-good-morning-everyone.mp3";
    assert.match(String(output), new RegExp(`at /downloads/${name}, where the person can play`));
    assert.deepEqual(await Deno.readFile(join(downloads, name)), SOUND);
  }));

Deno.test("speak never writes over an earlier recording", () =>
  withMedia(spoken, async ({ services, downloads }) => {
    for (const _ of [1, 2, 3]) await callTool(speech, "speak", { text: "Hello", format: "wav" }, { services });
    const names = [...Deno.readDirSync(downloads)].map(({ name }) => name).sort();
    assert.deepEqual(names, ["speech-hello-2.wav", "speech-hello-3.wav", "speech-hello.wav"]);
  }));

Deno.test("speak takes no page and no JSON for sound", async () => {
  for (
    const answer of [new Response("<h1>Sorry</h1>", { headers: { "content-type": "text/html" } }), Response.json({})]
  ) {
    await withMedia(() => answer, async ({ services, downloads }) => {
      assert.match(String(await callTool(speech, "speak", { text: "Hello" }, { services })), /instead of sound/);
      await assert.rejects(Deno.stat(downloads), Deno.errors.NotFound);
    });
  }
});

Deno.test("speech offers no tool where no model is named (K-171)", () => {
  assert.deepEqual(speech.tools(toolsetContext(speech)), []);
});
