import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import { Headers } from "effect/http"
import { clientAddress, parseTrustedProxies, provenAddress } from "../../src/access/ClientAddress.ts"

const proxies = Result.getOrThrow(parseTrustedProxies("10.0.0.0/8, 192.168.1.7, fd00::/8,::1"))

const from = (peer: string | undefined, forwardedFor?: string, trusted = proxies) =>
  clientAddress(
    {
      remoteAddress: Option.fromUndefinedOr(peer),
      headers: Headers.fromInput({ "x-forwarded-for": forwardedFor })
    },
    trusted
  )

describe("the client's address", () => {
  it("is the socket's peer, in its shortest form", () => {
    assert.strictEqual(from("203.0.113.9"), "203.0.113.9")
    assert.strictEqual(from("::ffff:203.0.113.9"), "203.0.113.9")
    assert.strictEqual(from("::FFFF:203.0.113.9", undefined, []), "203.0.113.9")
    assert.strictEqual(from("2001:db8:0:0::1"), "2001:db8::1")
    assert.strictEqual(from("fe80::1%eth0"), "fe80::1")
  })

  it("ignores X-Forwarded-For from an untrusted peer", () => {
    assert.strictEqual(from("203.0.113.9", "1.2.3.4"), "203.0.113.9")
    assert.strictEqual(from("10.0.0.1", "1.2.3.4", []), "10.0.0.1")
    assert.strictEqual(from("::ffff:10.0.0.1", "1.2.3.4", []), "10.0.0.1")
    assert.strictEqual(from("192.168.1.8", "1.2.3.4"), "192.168.1.8")
  })

  it("is the right-most untrusted entry behind trusted proxies", () => {
    assert.strictEqual(from("10.0.0.1", "198.51.100.4"), "198.51.100.4")
    assert.strictEqual(from("10.0.0.1", "1.1.1.1, 198.51.100.4"), "198.51.100.4")
    assert.strictEqual(from("10.0.0.1", "1.1.1.1,198.51.100.4 , 10.2.3.4,192.168.1.7"), "198.51.100.4")
    assert.strictEqual(from("::ffff:10.0.0.1", "::ffff:198.51.100.4"), "198.51.100.4")
    assert.strictEqual(from("fd00::7", "2001:DB8::9"), "2001:db8::9")
    assert.strictEqual(from("::1", "198.51.100.4, ::ffff:10.1.1.1"), "198.51.100.4")
  })

  it("is the left-most entry if all are trusted", () => {
    assert.strictEqual(from("10.0.0.1", "10.0.0.3, 10.0.0.2"), "10.0.0.3")
  })

  it("is read from entries with ports and brackets", () => {
    assert.strictEqual(from("10.0.0.1", "198.51.100.4:51234"), "198.51.100.4")
    assert.strictEqual(from("10.0.0.1", "[2001:db8::9]:443"), "2001:db8::9")
    assert.strictEqual(from("10.0.0.1", "[2001:db8::9]"), "2001:db8::9")
  })

  it("is the last known proxy if an entry is not an address", () => {
    for (const garbage of [
      "unknown",
      "_hidden",
      "",
      "1.2.3",
      "1.2.3.4.5",
      "999.1.1.1",
      "1.2.3.4:x",
      "<script>",
      "::g"
    ]) {
      assert.strictEqual(from("10.0.0.1", garbage), "10.0.0.1", garbage)
      assert.strictEqual(from("10.0.0.1", `1.1.1.1, ${garbage}, 10.0.0.2`), "10.0.0.2", garbage)
    }
  })

  it("is the value of the header if there is no peer, and unknown without a header", () => {
    assert.strictEqual(from(undefined, "198.51.100.4"), "198.51.100.4")
    assert.strictEqual(from(undefined, "198.51.100.4, 10.0.0.1"), "198.51.100.4, 10.0.0.1")
    assert.strictEqual(from(undefined), null)
    assert.strictEqual(from(undefined, ""), null)
  })
})

describe("the proven address", () => {
  const proven = (peer: string | undefined, forwardedFor?: string) =>
    provenAddress(
      {
        remoteAddress: Option.fromUndefinedOr(peer),
        headers: Headers.fromInput({ "x-forwarded-for": forwardedFor })
      },
      proxies
    )

  it("is unknown if a trusted proxy forwards an entry that is not an address", () => {
    for (const header of [
      "unknown",
      "_hidden",
      "junk",
      "9.9.9.9, junk",
      "9.9.9.9,",
      "",
      " ",
      "junk, 10.0.0.2"
    ]) {
      assert.strictEqual(proven("10.0.0.1", header), null, header)
    }
    assert.strictEqual(proven(undefined, "198.51.100.4"), null)
  })

  it("is the client's address otherwise", () => {
    assert.strictEqual(proven("10.0.0.1", "junk, 198.51.100.4"), "198.51.100.4")
    assert.strictEqual(proven("203.0.113.9", "junk"), "203.0.113.9")
    assert.strictEqual(proven("10.0.0.1"), "10.0.0.1")
  })
})

describe("the list of trusted proxies", () => {
  it("accepts networks and addresses, and names the entry that is neither", () => {
    assert.deepStrictEqual(parseTrustedProxies(""), Result.succeed([]))
    assert.strictEqual(Result.getOrThrow(parseTrustedProxies(" 10.0.0.0/8 ,::1, ")).length, 2)
    for (const entry of ["10.0.0.0/33", "localhost", "10.0.0", "::1/129", "10.0.0.1/8"]) {
      const parsed = parseTrustedProxies(`127.0.0.1, ${entry}`)
      assert.deepStrictEqual(parsed, Result.fail(entry), entry)
    }
  })
})
