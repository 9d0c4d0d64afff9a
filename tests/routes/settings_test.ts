import assert from "node:assert/strict";
import { withProduct } from "./real_product.ts";

const sender = (url: string, headers: Record<string, string>) => ({
  send: (method: string, path: string, body?: unknown) =>
    fetch(`${url}${path}`, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...body === undefined ? {} : { body: JSON.stringify(body) },
    }),
});

Deno.test("api: settings are changed, said to apply or to wait, and read back with the new version", () =>
  withProduct(async ({ url, headers }) => {
    const server = sender(url, headers);
    const before = await (await server.send("GET", "/api/settings")).json();
    const values = { "assistant.generate_titles": false, "assistant.max_iterations": 7 };
    const answer = await server.send("PATCH", "/api/settings", { values, version: before.version });
    assert.equal(answer.status, 200, await answer.clone().text());
    const changed = await answer.json();
    assert.deepEqual(changed.applied, ["assistant.generate_titles"]);
    assert.deepEqual(changed.restart, ["assistant.max_iterations"]);
    const after = await (await server.send("GET", "/api/settings")).json();
    assert.equal(after.version, changed.version);
    assert.equal(after.values["assistant.generate_titles"].value, false);
    assert.equal((await server.send("PATCH", "/api/settings", { values, version: before.version })).status, 409);
  }));

Deno.test("api: a locked setting is 403, a bad one 400, and nothing is written", () =>
  withProduct(async ({ url, headers }) => {
    const server = sender(url, headers);
    const { version } = await (await server.send("GET", "/api/settings")).json();
    const patch = async (values: unknown) => {
      const answer = await server.send("PATCH", "/api/settings", { values });
      return [answer.status, (await answer.json()).detail];
    };
    const [locked, why] = await patch({ "security.locked_config_keys": [] });
    assert.equal(locked, 403);
    assert.match(why, /cannot be written by what it restrains/);
    assert.equal((await patch({ "assistant.max_iterations": 0 }))[0], 400);
    assert.equal((await patch({ "assistant.model": "nonsense" }))[0], 400);
    assert.equal((await patch({ "nothing.here": 1 }))[0], 400);
    assert.equal((await patch("x"))[0], 400);
    assert.equal((await (await server.send("GET", "/api/settings")).json()).version, version);
  }));
