import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { compile } from "../../src/access/OriginTrust.ts"
import { parse, type TrustedOriginKind } from "../../src/access/TrustedOrigin.ts"

const answer = (fields: Readonly<Record<string, unknown>>): unknown => {
  const result = parse(fields)
  return Result.isFailure(result) ? result.failure.message : result.success
}

const value = (kind: TrustedOriginKind, text: unknown): unknown => {
  const result = parse({ kind, value: text })
  return Result.isFailure(result) ? result.failure.message : result.success.value
}

const list = (...entries: ReadonlyArray<readonly [TrustedOriginKind, string, boolean?]>) =>
  compile(entries.map(([kind, value, enabled = true]) => ({ kind, value, name: null, enabled })))

const sentences = {
  address: "value must be an IP address or a CIDR range, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32",
  domain: "value must be a host name alone, such as shop.example.com",
  pattern: "value must be *. and a host name of at least two labels, such as *.example.com"
}

describe("TrustedOrigin.parse", () => {
  it("requires a kind and a value, and has defaults for the rest", () => {
    const entry = { kind: "address", value: "10.0.0.0/8", name: null, enabled: true }
    assert.deepStrictEqual(answer({ kind: "address", value: "10.0.0.0/8" }), entry)
    assert.deepStrictEqual(answer({ ...entry, id: "x", effect: "bypass", created_at: "now" }), entry)
    assert.deepStrictEqual(answer({ ...entry, name: "", enabled: false }), { ...entry, enabled: false })
    assert.deepStrictEqual(answer({ ...entry, name: "office" }), { ...entry, name: "office" })
  })

  it.each([undefined, null, "", "ip", "Address", 1, {}])("kind %j is rejected", (kind) => {
    assert.strictEqual(answer({ kind, value: "10.0.0.1" }), "kind must be one of: address, domain, pattern")
  })

  it.each([
    ["address", " 10.0.0.1/8 ", "10.0.0.0/8"],
    ["address", "::FFFF:10.0.0.1", "10.0.0.1"],
    ["domain", "Shop.Example.COM.", "shop.example.com"],
    ["domain", "bücher.example", "xn--bcher-kva.example"],
    ["domain", "xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["domain", "ｓｈｏｐ.example", "shop.example"],
    ["domain", "localhost", "localhost"],
    ["domain", "my_shop.example", "my_shop.example"],
    ["pattern", "*.Example.com.", "*.example.com"],
    ["pattern", "*.bücher.example", "*.xn--bcher-kva.example"]
  ] as const)("%s %s is kept as %s", (kind, text, normal) => {
    assert.strictEqual(value(kind, text), normal)
    assert.strictEqual(value(kind, normal), normal)
  })

  it.each([
    undefined,
    null,
    "",
    10,
    ["10.0.0.1"],
    "10.0.0.0/33",
    "shop.example",
    "10.0.0.1,10.0.0.2",
    "fe80::1%eth0"
  ])("address %j is rejected", (text) => {
    assert.strictEqual(value("address", text), sentences.address)
  })

  it.each([
    undefined,
    7,
    "",
    ".",
    "..",
    "a..b",
    ".example",
    "https://shop.example",
    "shop.example:443",
    "shop.example/",
    "user@shop.example",
    "shop example",
    "10.0.0.1",
    "0x7f.1",
    "shop.1",
    "[::1]",
    "*.example.com",
    "shop.*",
    "-a.example",
    "a-.example",
    "sh%6fp.example",
    "a\0b.example",
    `${"a".repeat(64)}.example`,
    `${"a.".repeat(130)}example`,
    "x".repeat(2000),
    "(a|b).example",
    "^shop$",
    "xn--\u0080.example"
  ])("domain %j is rejected", (text) => {
    assert.strictEqual(value("domain", text), sentences.domain)
  })

  it.each([
    undefined,
    "",
    "*",
    "*.",
    "*.com",
    "*.*.example.com",
    "a.*.example.com",
    "shop.example.com",
    "**.example.com",
    "*example.com",
    ".*\\.example\\.com",
    "*.10.0.0.1",
    "*.example.com/",
    "https://*.example.com"
  ])("pattern %j is rejected", (text) => {
    assert.strictEqual(value("pattern", text), sentences.pattern)
  })

  it.each([
    "0.0.0.0/0",
    "10.1.2.3/0",
    "::/0",
    "2001:db8::/0",
    "::ffff:0:0/96",
    "0.0.0.0/1",
    "8.0.0.0/7",
    "2000::/3"
  ])("address %s is too wide, and rejected unless that is allowed", (text) => {
    assert.match(
      String(value("address", text)),
      /^value \S+\/[0-7] would let almost anyone read without a credential\. /
    )
    assert.match(
      String(answer({ kind: "address", value: text, allow_everyone: "true" })),
      /would let almost anyone read/
    )
    assert.hasAllKeys(answer({ kind: "address", value: text, allow_everyone: true }), [
      "kind",
      "value",
      "name",
      "enabled"
    ])
  })

  it.each([1, {}, "x".repeat(201), "a\0b"])("name %j is rejected", (name) => {
    assert.strictEqual(
      answer({ kind: "domain", value: "shop.example", name }),
      "name must be a text of at most 200 characters, or null"
    )
  })

  it.each([null, 0, 1, "true", "no"])("enabled %j is rejected", (enabled) => {
    assert.strictEqual(
      answer({ kind: "domain", value: "shop.example", enabled }),
      "enabled must be true or false"
    )
  })
})

describe("OriginMatcher", () => {
  it("compares addresses as numbers, including IPv4-mapped IPv6 addresses", () => {
    const { matchesAddress } = list(
      ["address", "10.0.0.0/8"],
      ["address", "2001:db8::/32"],
      ["address", "127.0.0.1"]
    )
    for (const address of [
      "10.0.0.1",
      "10.255.255.255",
      "::ffff:10.1.2.3",
      "2001:db8::7",
      "2001:0DB8:0::7",
      "127.0.0.1"
    ]) {
      assert.isTrue(matchesAddress(address), address)
    }
    for (const address of [
      "11.0.0.0",
      "9.255.255.255",
      "::10.0.0.1",
      "2001:db9::",
      "127.0.0.2",
      "10.0.0.1, 11.0.0.1",
      "",
      "10.0.0.1:80"
    ]) {
      assert.isFalse(matchesAddress(address), address)
    }
  })

  it("compares hosts, whatever the scheme and port", () => {
    const { matchesOrigin } = list(["domain", "shop.example"], ["pattern", "*.shops.example"])
    for (const origin of [
      "https://shop.example",
      "http://shop.example:8080",
      "https://shop.example.",
      "https://a.shops.example",
      "https://xn--bcher-kva.shops.example"
    ]) {
      assert.isTrue(matchesOrigin(origin), origin)
    }
    for (const origin of [
      "null",
      "",
      "shop.example",
      "https://shop.example.evil.example",
      "https://evilshop.example",
      "https://a.shop.example",
      "https://shops.example",
      "https://a.b.shops.example",
      "https://evil.example/.shops.example",
      "https://evil.example?.shops.example",
      "https://evil.example#a.shops.example",
      "https://user@shop.example",
      "https://shop.example@evil.example",
      "https://a.shops.example@evil.example",
      "https://*.shops.example",
      "https://.shops.example",
      "ftp://shop.example",
      "chrome-extension://shop.example",
      "https://shop.example https://evil.example",
      "https:\\\\shop.example",
      "https:shop.example",
      " https://shop.example",
      "https://shop.example\t",
      "https://%73hop.example",
      "https://SHOP.example",
      "HTTPS://shop.example",
      "https://shop.example:443",
      "https://shop.example/",
      "https://@shop.example",
      "https://sh\nop.example",
      "https://ｓｈｏｐ.example"
    ]) {
      assert.isFalse(matchesOrigin(origin), origin)
    }
  })

  it("never matches an address with a host", () => {
    const { matchesAddress, matchesOrigin } = list(["address", "10.0.0.1"], ["domain", "shop.example"])
    assert.isFalse(matchesOrigin("http://10.0.0.1"))
    assert.isFalse(matchesAddress("shop.example"))
  })

  it("ignores disabled entries", () => {
    const { matchesAddress, matchesOrigin } = list(
      ["address", "0.0.0.0/0", false],
      ["domain", "shop.example", false],
      ["pattern", "*.shop.example", false]
    )
    assert.isFalse(matchesAddress("10.0.0.1"))
    assert.isFalse(matchesOrigin("https://shop.example"))
    assert.isFalse(matchesOrigin("https://a.shop.example"))
  })
})
