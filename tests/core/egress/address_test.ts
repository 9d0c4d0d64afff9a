import assert from "node:assert/strict";
import fc from "fast-check";
import { inRange, notPublic, parseAddress, parseRange } from "../../../core/egress/address.ts";

const PRIVATE = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "100.100.100.200",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.0.1",
  "169.254.169.254",
  "169.254.170.2",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.7",
  "203.0.113.9",
  "168.63.129.16",
  "224.0.0.1",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "0:0:0:0:0:0:0:1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:8.8.8.8",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::8.8.8.8",
  "64:ff9b:1::a00:1",
  "2001::1",
  "2001:0:4136:e378:8000:63bf:3fff:fdd2",
  "2001:db8::1",
  "2002:7f00:1::",
  "2002:c0a8:101::1",
  "3fff::1",
  "fc00::1",
  "fd00:ec2::254",
  "fdff:ffff::1",
  "fe80::1",
  "febf::1",
  "fec0::1",
  "ff02::1",
  "100::1",
  "4000::1",
  "5f00::1",
  "::2",
  "1::1",
];

const PUBLIC = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.1",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001:80e::200e",
  "2001:4860::8888",
  "2620:fe::fe",
];

for (const address of PRIVATE) {
  Deno.test(`${address} is not public`, () => assert.notEqual(notPublic(address), null));
}

for (const address of PUBLIC) {
  Deno.test(`${address} is public`, () => assert.equal(notPublic(address), null));
}

Deno.test("other spellings of a number are no address, and what is no address is not public", () => {
  for (
    const text of [
      "127.1",
      "0x7f.0.0.1",
      "0177.0.0.1",
      "2130706433",
      "1.2.3",
      "1.2.3.4.5",
      "256.1.1.1",
      "",
      "a",
      "1:2",
      ":::",
      "1::2::3",
      "fe80::1%eth0",
      "::1.2.3",
      "12345::",
      "1:2:3:4:5:6:7:8:9",
      "1.2.3.4:80",
      "[::1]",
    ]
  ) {
    assert.equal(parseAddress(text), null, text);
    assert.equal(notPublic(text), "no address", text);
  }
});

Deno.test("an IPv4 address in any form of IPv6 is not public, whatever it is", () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
    const hex = bytes.map((each) => each.toString(16).padStart(2, "0"));
    const v4 = bytes.join(".");
    const tail = `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`;
    for (
      const form of [
        `::ffff:${v4}`,
        `::ffff:${tail}`,
        `::${v4}`,
        `64:ff9b::${tail}`,
        `2002:${tail}::1`,
        `::ffff:0:${tail}`,
      ]
    ) {
      assert.notEqual(notPublic(form), null, form);
    }
  }));
});

Deno.test("an address read from URL is read to the same bytes in every spelling", () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  fc.assert(fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
    const long = groups.map((each) => each.toString(16).padStart(4, "0")).join(":");
    const short = new URL(`http://[${long}]/`).hostname.slice(1, -1);
    assert.deepEqual(parseAddress(short), parseAddress(long));
    assert.deepEqual(parseAddress(long), groups.flatMap((each) => [each >> 8, each & 0xff]));
  }));
});

Deno.test("no text whatever makes it throw", () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(..."0123456789abcdef:./x[]% ") }), (text) => {
    parseRange(text);
    assert.equal(typeof (notPublic(text) ?? ""), "string");
  }));
});

Deno.test("a range holds the addresses with its leading bits, and those of its own family alone", () => {
  const holds = (range: string, address: string) => {
    const read = parseRange(range);
    const bytes = parseAddress(address);
    assert(read && bytes);
    return inRange(bytes, read);
  };
  assert.equal(holds("10.0.0.0/8", "10.9.8.7"), true);
  assert.equal(holds("10.0.0.0/8", "11.0.0.0"), false);
  assert.equal(holds("192.168.4.0/22", "192.168.7.255"), true);
  assert.equal(holds("192.168.4.0/22", "192.168.8.0"), false);
  assert.equal(holds("0.0.0.0/0", "8.8.8.8"), true);
  assert.equal(holds("0.0.0.0/0", "::1"), false);
  assert.equal(holds("fd00::/8", "fdab::1"), true);
  assert.equal(holds("10.1.2.3", "10.1.2.3"), true);
  assert.equal(holds("10.1.2.3", "10.1.2.4"), false);
  for (const bad of ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.0/-1", "::/129", "nas/8"]) {
    assert.equal(parseRange(bad), null, bad);
  }
});
