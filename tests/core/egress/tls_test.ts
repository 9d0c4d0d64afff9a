import assert from "node:assert/strict";
import { createEgress, HostUnreachable } from "../../../core/egress/mod.ts";
import { type Host, refusal, serve } from "./hosts.ts";
import { SHOP } from "./shop_certificate.ts";

const shopServer = () => serve(() => new Response("sealed"), SHOP);

const doorTo = (host: Host, name: string, certificates: readonly string[]) =>
  createEgress({ allow: [`${name}:${host.port}`], resolve: () => Promise.resolve(["127.0.0.1"]), certificates });

Deno.test("over TLS the checked address is connected to, and the certificate is checked against the name", async () => {
  await using host = shopServer();
  const answer = await doorTo(host, "shop.example", [SHOP.cert]).fetch(`https://shop.example:${host.port}/`);
  assert.equal(new TextDecoder().decode(answer.bytes), "sealed");
});

Deno.test("a certificate of another name is refused before anything is sent", async () => {
  await using host = shopServer();
  const error = await refusal(doorTo(host, "bank.example", [SHOP.cert]).fetch(`https://bank.example:${host.port}/`));
  assert(error instanceof HostUnreachable);
  assert.match(error.message, /certificate/);
  assert.equal(host.requests.length, 0);
});

Deno.test("a certificate that nobody vouches for is refused before anything is sent", async () => {
  await using host = shopServer();
  const error = await refusal(doorTo(host, "shop.example", []).fetch(`https://shop.example:${host.port}/`));
  assert(error instanceof HostUnreachable);
  assert.match(error.message, /certificate/);
  assert.equal(host.requests.length, 0);
});
