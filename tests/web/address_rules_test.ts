import assert from "node:assert/strict";
import { AddressRules } from "../../web/address_rules.ts";

function request(headers: Record<string, string>): Request {
  return new Request("http://127.0.0.1:8000/", { method: "POST", headers });
}

Deno.test("acceptsHost() takes the loopback names on any port, and no other", () => {
  const rules = new AddressRules("127.0.0.1");
  const ours = ["127.0.0.1", "127.0.0.1:8000", "localhost:8000", "LOCALHOST", "[::1]:8000", "[::1]"];
  const others = [
    null,
    "",
    "evil.example",
    "evil.example:8000",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "localhost.",
    "evil@localhost",
    "localhost:8000:1",
    "localhost:",
    "localhost:65536",
    "127.0.0.1:99999",
    "localhost/evil",
    "127.0.0.1#",
    "127.0.0.2",
    "0.0.0.0",
    "[::2]",
    "[localhost]",
    "localhost, evil.example",
    "xn--localhost",
  ];
  for (const host of ours) assert.equal(rules.acceptsHost(host), true, host);
  for (const host of others) assert.equal(rules.acceptsHost(host), false, String(host));
});

Deno.test("acceptsHost() takes what it is bound to and what the config allows", () => {
  const rules = new AddressRules("192.168.1.5", ["malama.example", "other.example:8443"]);
  for (const host of ["192.168.1.5:8000", "malama.example", "Malama.Example:444", "other.example:8443"]) {
    assert.equal(rules.acceptsHost(host), true, host);
  }
  for (const host of ["other.example", "other.example:80", "192.168.1.6"]) {
    assert.equal(rules.acceptsHost(host), false, host);
  }
  assert.equal(new AddressRules("::1").acceptsHost("[::1]:1"), true);
  assert.equal(new AddressRules("fe80::1").acceptsHost("[fe80::1]:1"), true);
});

Deno.test("acceptsOrigin() takes none, or the address the request was sent to", () => {
  const rules = new AddressRules("127.0.0.1");
  const host = "127.0.0.1:8000";
  assert.equal(rules.acceptsOrigin(request({ host })), true);
  assert.equal(rules.acceptsOrigin(request({ host, origin: "http://127.0.0.1:8000" })), true);
  assert.equal(rules.acceptsOrigin(request({ host: "localhost", origin: "http://localhost:80" })), true);
  const others = [
    "null",
    "",
    "http://evil.example",
    "http://127.0.0.1:9999",
    "http://127.0.0.1",
    "https://127.0.0.1:8000",
    "http://localhost:8000",
    "http://127.0.0.1:8000.evil.example",
    "http://evil.example/http://127.0.0.1:8000",
    "http://user@127.0.0.1:8000",
    "file://",
    "chrome-extension://abc",
    "http://127.0.0.1:8000/",
  ];
  for (const origin of others) assert.equal(rules.acceptsOrigin(request({ host, origin })), false, origin);
});

Deno.test("acceptsOrigin() takes a configured proxy's address, with and without its Host", () => {
  const rules = new AddressRules("127.0.0.1", ["malama.example"]);
  for (const host of ["malama.example", "127.0.0.1:8000"]) {
    assert.equal(rules.acceptsOrigin(request({ host, origin: "https://malama.example" })), true);
    assert.equal(rules.acceptsOrigin(request({ host, origin: "https://evil.example" })), false);
    assert.equal(rules.acceptsOrigin(request({ host, origin: "https://malama.example:3000" })), false);
  }
});

Deno.test("isSecure() believes X-Forwarded-Proto for a configured proxy's name alone", () => {
  const rules = new AddressRules("127.0.0.1", ["malama.example"]);
  const https = { "x-forwarded-proto": "https" };
  assert.equal(rules.isSecure(request({ host: "malama.example", ...https })), true);
  assert.equal(rules.isSecure(request({ host: "127.0.0.1:8000", ...https })), false);
  assert.equal(rules.isSecure(request({ host: "malama.example", "x-forwarded-proto": "http" })), false);
  assert.equal(rules.isSecure(request({ host: "malama.example" })), false);
});
