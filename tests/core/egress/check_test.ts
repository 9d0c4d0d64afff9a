import assert from "node:assert/strict";
import fc from "fast-check";
import { AllowList, BadAddress, PrivateAddress, UnknownHost } from "../../../core/egress/mod.ts";
import { checkDestination, readUrl } from "../../../core/egress/check.ts";
import { refusal } from "./hosts.ts";

const check = (
  url: string,
  addresses: readonly string[] = ["93.184.216.34"],
  allow: readonly string[] = [],
  trusted: readonly string[] = [],
) =>
  checkDestination(readUrl(url), { allowed: new AllowList(allow), resolve: () => Promise.resolve(addresses), trusted });

const LOOPBACK_SPELLINGS = [
  "http://127.0.0.1/",
  "http://127.1/",
  "http://127.0.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0x7f.1/",
  "http://0177.0.0.1/",
  "http://017700000001/",
  "http://0x7f.0x0.0x0.0x1/",
  "http://127.0.0.1./",
  "http://１２７.０.０.１/",
  "http://127。0。0。1/",
  "http://[::1]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[::127.0.0.1]/",
  "http://[64:ff9b::127.0.0.1]/",
  "http://[2002:7f00:1::]/",
  "http://0/",
  "http://0.0.0.0/",
  "http://[::]/",
  "http://10.0.0.1/",
  "http://0xa000001/",
  "http://167772161/",
  "http://192.168.257/",
  "http://172.16.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://2852039166/",
  "http://0xa9fea9fe/",
  "http://0251.0376.0251.0376/",
  "http://[fd00:ec2::254]/",
  "http://[fe80::1]/",
  "http://100.100.100.200/",
  "http://168.63.129.16/",
  "http://224.0.0.1/",
  "http://255.255.255.255/",
  "http://[ff02::1]/",
  "http://[::ffff:a9fe:a9fe]/",
  "http://[64:ff9b:1::a00:1]/",
  "HTTP://127.0.0.1:80/",
  "http://%31%32%37.0.0.1/",
  "https://127.0.0.1/",
  " http://127.0.0.1/ ",
  "http:127.0.0.1/",
  "http:\\\\127.0.0.1\\",
  "http:///127.0.0.1/",
];

for (const url of LOOPBACK_SPELLINGS) {
  Deno.test(`${url} leads into no private network`, async () => {
    const error = await refusal(check(url));
    assert(error instanceof PrivateAddress, String(error));
    assert.match(error.message, /allow_private_network/);
  });
}

Deno.test("every number that is loopback is refused in decimal, octal and hexadecimal", async () => {
  const byte = fc.integer({ min: 0, max: 255 });
  await fc.assert(
    fc.asyncProperty(byte, byte, byte, fc.constantFrom(127, 10, 0), async (b, c, d, a) => {
      const number = ((a * 256 + b) * 256 + c) * 256 + d;
      for (
        const host of [
          number,
          `0x${number.toString(16)}`,
          `0${number.toString(8)}`,
          `${a}.${b * 65536 + c * 256 + d}`,
          `0x${a.toString(16)}.${b}.${c * 256 + d}`,
        ]
      ) {
        assert((await refusal(check(`http://${host}/`))) instanceof PrivateAddress, String(host));
      }
    }),
    { numRuns: 50 },
  );
});

Deno.test("a name is refused when any of its addresses is private, and by the address it is said why", async () => {
  const error = await refusal(check("https://rebind.example/", ["93.184.216.34", "10.0.0.8"]));
  assert(error instanceof PrivateAddress);
  assert.deepEqual([error.host, error.address, error.what], ["rebind.example", "10.0.0.8", "a private address"]);
});

Deno.test("what is given are the addresses that were checked, each once", async () => {
  const { addresses, port } = await check("https://a.example/", ["1.1.1.1", "2606:4700::1", "1.1.1.1"]);
  assert.deepEqual([addresses, port], [["1.1.1.1", "2606:4700::1"], 443]);
});

Deno.test("what the config allows is let through", async () => {
  assert.equal((await check("http://nas.local:5000/", ["192.168.1.5"], ["nas.local:5000"])).port, 5000);
  assert((await refusal(check("http://nas.local:22/", ["192.168.1.5"], ["nas.local:5000"]))) instanceof PrivateAddress);
  assert.deepEqual((await check("http://[::1]:90/", [], ["::1"])).addresses, ["::1"]);
});

Deno.test("an origin that a person configured is let through for that request, and no other origin", async () => {
  assert.equal((await check("http://127.0.0.1:8080/search", [], [], ["http://127.0.0.1:8080"])).port, 8080);
  assert((await refusal(check("http://127.0.0.1:8081/", [], [], ["http://127.0.0.1:8080"]))) instanceof PrivateAddress);
});

Deno.test("a name without an address is unknown", async () => {
  assert((await refusal(check("http://nowhere.example/", []))) instanceof UnknownHost);
});

Deno.test("ports that are not of the web are refused unless the config names them", async () => {
  assert((await refusal(check("http://a.example:25/"))) instanceof BadAddress);
  assert.equal((await check("http://a.example:8443/")).port, 8443);
  assert.equal((await check("http://a.example:81/", undefined, ["a.example:81"])).port, 81);
});

for (
  const url of [
    "",
    "example.org",
    "/etc/passwd",
    "file:///etc/passwd",
    "ftp://a.example/",
    "data:text/html,x",
    "javascript:alert(1)",
    "gopher://a/",
    "ws://a.example/",
    "http://",
    "http://a b/",
    "http://user:pass@a.example/",
    "http://user@a.example/",
    "http://127.0.0.1@a.example:80@b/",
    "http://256.256.256.256/",
    "http://[fe80::1%25eth0]/",
    `http://a.example/${"x".repeat(9000)}`,
  ]
) {
  Deno.test(`"${url.slice(0, 40)}" is no address that is fetched, and it is said what is`, () => {
    assert.throws(
      () => readUrl(url),
      (error) => error instanceof BadAddress && error.message.length > 30 && error.message.length < 500,
    );
  });
}

Deno.test("a fragment is not sent", () => assert.equal(readUrl("https://a.example/x#y").href, "https://a.example/x"));
