import assert from "node:assert/strict";
import { AllowList, BadAllowEntry } from "../../../core/egress/mod.ts";

const allows = (entry: string, host: string, port: number, address: string) =>
  new AllowList([entry]).allows(host, port, address);

Deno.test("a host is allowed by its name, at every port and whatever it resolves to", () => {
  assert.equal(allows("nas.local", "nas.local", 80, "192.168.1.5"), true);
  assert.equal(allows("NAS.local", "nas.local", 5000, "192.168.1.5"), true);
  assert.equal(allows("nas.local", "nas.local.", 5000, "192.168.1.5"), true);
  assert.equal(allows("nas.local", "evil-nas.local", 80, "192.168.1.5"), false);
  assert.equal(allows("nas.local", "a.nas.local", 80, "192.168.1.5"), false);
  assert.equal(allows("büro.local", "xn--bro-hoa.local", 80, "192.168.1.5"), true);
});

Deno.test("a port narrows a host or an address to it", () => {
  assert.equal(allows("nas.local:5000", "nas.local", 5000, "192.168.1.5"), true);
  assert.equal(allows("nas.local:5000", "nas.local", 22, "192.168.1.5"), false);
  assert.equal(allows("127.0.0.1:8080", "localhost", 8080, "127.0.0.1"), true);
  assert.equal(allows("127.0.0.1:8080", "localhost", 8000, "127.0.0.1"), false);
  assert.equal(allows("[::1]:8080", "localhost", 8080, "::1"), true);
  assert.equal(allows("[::1]", "localhost", 1, "::1"), true);
});

Deno.test("an address or a range allows every name that leads there", () => {
  assert.equal(allows("192.168.1.0/24", "any.example", 80, "192.168.1.5"), true);
  assert.equal(allows("192.168.1.0/24", "any.example", 80, "192.168.2.5"), false);
  assert.equal(allows("fd00::/8", "any.example", 80, "fd12::1"), true);
  assert.equal(allows("10.0.0.7", "any.example", 80, "10.0.0.7"), true);
});

for (
  const entry of [
    "",
    "*",
    "*.local",
    "http://nas.local",
    "nas.local/8",
    "10.0.0.0/99",
    "a b",
    "nas:99999",
    "[nas]",
    "127.1",
    "nas@x",
    "::1:8080:",
  ]
) {
  Deno.test(`the entry "${entry}" is refused by name`, () => {
    assert.throws(() => new AllowList([entry]), (error) => error instanceof BadAllowEntry && error.entry === entry);
  });
}
