import assert from "node:assert/strict";
import { Services } from "../../core/tool/mod.ts";
import { image } from "../../toolsets/image.ts";
import { PIXEL, withMedia } from "./media_fixture.ts";
import { callTool, toolsetContext } from "./toolset_fixture.ts";

const painted = () => Response.json({ data: [{ b64_json: PIXEL.toBase64(), revised_prompt: "A lighthouse at dusk" }] });

Deno.test("generate_image asks the model that MALAMA_IMAGE_MODEL names, and gives the picture as a picture (K-324)", () =>
  withMedia(painted, async ({ services, seen }) => {
    const output = await callTool(image, "generate_image", { prompt: "A lighthouse", size: "512x512" }, { services });
    assert.deepEqual(seen, [{
      path: "/v1/images/generations",
      authorization: "Bearer a-key",
      body: { model: "painter", prompt: "A lighthouse", n: 1, size: "512x512", response_format: "b64_json" },
    }]);
    assert.deepEqual(output, {
      text: `The picture is attached, and the person sees it (image/png, ${PIXEL.length} bytes). ` +
        'The model was asked for: "A lighthouse at dusk"',
      images: [{ media_type: "image/png", data: PIXEL, name: "picture.png" }],
    });
  }));

Deno.test("generate_image fetches a picture that is named by its address on the same server, without the key", () => {
  const answer = ({ path, authorization }: { path: string; authorization: string | null }) => {
    if (path !== "/files/1.png") return Response.json({ data: [{ url: "PLACE/files/1.png" }] });
    assert.equal(authorization, null);
    return new Response(PIXEL);
  };
  let origin = "";
  return withMedia(
    async (seen) => {
      const response = answer(seen);
      if (seen.path === "/files/1.png") return response;
      return new Response((await response.text()).replace("PLACE", origin));
    },
    async ({ services }) => {
      const output = await callTool(image, "generate_image", { prompt: "A lighthouse" }, { services });
      assert.equal((output as { images: readonly unknown[] }).images.length, 1);
    },
    (address) => {
      origin = new URL(address).origin;
      return { MALAMA_IMAGE_MODEL: `openai-compat:painter@${address}`, OPENAI_COMPAT_API_KEY: "a-key" };
    },
  );
});

Deno.test("generate_image lets a server name no picture in a network that tools may not reach", () =>
  withMedia(
    () => Response.json({ data: [{ url: "http://127.0.0.1:1/secret.png" }] }),
    async ({ services }) => {
      const output = await callTool(image, "generate_image", { prompt: "A lighthouse" }, { services });
      assert.match(String(output), /tools may not reach/);
    },
  ));

Deno.test("generate_image shows nothing that is no picture", () =>
  withMedia(
    () => Response.json({ data: [{ b64_json: btoa("<html>an error</html>") }] }),
    async ({ services }) => {
      const output = await callTool(image, "generate_image", { prompt: "A lighthouse" }, { services });
      assert.equal(output, "The server answered with something that is no picture.");
    },
  ));

Deno.test("generate_image tells what the server said when it refuses (K-328)", () =>
  withMedia(
    () => Response.json({ error: { message: "No such\nmodel" } }, { status: 404 }),
    async ({ services }) => {
      const output = await callTool(image, "generate_image", { prompt: "A lighthouse" }, { services });
      assert.equal(output, "The server answered 404: No such model.");
    },
  ));

Deno.test("generate_image says so when the answer has another form, is cut off or empty", async () => {
  for (const text of ["", "null", '{"data":[]}', '{"data":[{}]}', '{"data":[{"b64_json":"***"}]}', '{"data']) {
    await withMedia(() => new Response(text), async ({ services }) => {
      const output = await callTool(image, "generate_image", { prompt: "A lighthouse" }, { services });
      assert.match(String(output), /^The server answered /, text);
    });
  }
});

Deno.test("generate_image ends with the call, while the server has not answered", () => {
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()];
  return withMedia(
    () => {
      asked.resolve();
      return answer.promise;
    },
    async ({ services }) => {
      const stop = new AbortController();
      const call = callTool(image, "generate_image", { prompt: "A lighthouse" }, {
        services,
        call: { signal: stop.signal },
      });
      await asked.promise;
      stop.abort(new Error("stopped"));
      await assert.rejects(async () => await call, /stopped/);
      answer.resolve(painted());
    },
  );
});

Deno.test("generate_image wants a description and a size that is one", () =>
  withMedia(painted, async ({ services, seen }) => {
    assert.match(
      String(await callTool(image, "generate_image", { prompt: " " }, { services })),
      /say what the picture/,
    );
    const output = await callTool(image, "generate_image", { prompt: "A lighthouse", size: "huge" }, { services });
    assert.match(String(output), /1024x1024/);
    assert.deepEqual(seen, []);
  }));

Deno.test("image offers no tool where no model is named, or none that can be asked (K-171)", async () => {
  assert.deepEqual(image.tools(toolsetContext(image)), []);
  assert.deepEqual(image.tools(toolsetContext(image, { services: new Services() })), []);
  for (const model of ["", "painter", "anthropic:claude", "demo:tour"]) {
    await withMedia(painted, ({ services }) => {
      assert.deepEqual(image.tools(toolsetContext(image, { services })), [], model);
      return Promise.resolve();
    }, () => ({ MALAMA_IMAGE_MODEL: model }));
  }
});
