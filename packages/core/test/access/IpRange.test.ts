import { BlockList, isIP } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { contains, formatIpRange, parseIpAddress, parseIpRange } from "../../src/access/IpRange.ts"

const byte = Schema.Union([
  Schema.Literals([0, 10, 127, 255]),
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
])
const group = Schema.Union([
  Schema.Literals([0, 0, 0, 1, 0x20_01, 0xffff]),
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff }))
])

const Ipv4 = Arbitrary.map(Arbitrary.schema(Schema.Tuple([byte, byte, byte, byte])), (bytes) =>
  bytes.join(".")
)

/** Notations of IPv6: with or without zeros, in either case, with leading zeros, or ending in IPv4. */
const Ipv6 = Arbitrary.map(
  Arbitrary.schema(
    Schema.Struct({
      groups: Schema.Tuple([group, group, group, group, group, group, group, group]),
      padded: Schema.Boolean,
      upper: Schema.Boolean,
      dotted: Schema.Boolean,
      cut: Schema.Boolean
    })
  ),
  ({ cut, dotted, groups, padded, upper }) => {
    const [high, low] = [groups[6], groups[7]]
    const hex = groups.map((value) => value.toString(16).padStart(padded ? 4 : 1, "0"))
    const parts = dotted ? [...hex.slice(0, 6), [high >> 8, high & 255, low >> 8, low & 255].join(".")] : hex
    const isZero = (part: string | undefined) => part !== undefined && /^0+$/.test(part)
    const start = cut ? parts.findIndex(isZero) : -1
    let end = start
    while (start >= 0 && isZero(parts[end])) end++
    const text =
      start < 0 ? parts.join(":") : `${parts.slice(0, start).join(":")}::${parts.slice(end).join(":")}`
    return upper ? text.toUpperCase() : text
  }
)

const Mapped = Arbitrary.map(Ipv4, (address) => `::ffff:${address}`)

const Address = Arbitrary.flatMap(
  Arbitrary.schema(Schema.Literals([0, 1, 2])),
  (kind) => [Ipv4, Ipv6, Mapped][kind] ?? Ipv4
)

const lengthOf = (address: string, share: number) => Math.round(share * (isIP(address) === 4 ? 32 : 128))

const Share = Schema.Literals([0, 0.25, 0.5, 0.74, 0.75, 0.8, 0.9, 0.97, 1])

const parsed = (text: string) => {
  const range = parseIpRange(text)
  assert.isDefined(range, text)
  return range
}

const family = (address: string) => (isIP(address) === 4 ? "ipv4" : "ipv6")

describe("IpRange", () => {
  it.prop(
    "contains the same addresses as Node's BlockList",
    { base: Address, share: Share, other: Address, near: Schema.Boolean },
    ({ base, near, other, share }) => {
      const length = lengthOf(base, share)
      const range = parsed(`${base}/${length}`)
      // Half of the addresses share their beginning with the range, so that both results occur.
      const address = near && family(base) === family(other) ? blend(base, other, length) : other
      const client = parseIpAddress(address)
      assert.isDefined(client, address)
      assert.strictEqual(
        contains(range, client),
        listed(base, length, address),
        `${base}/${length} ${address}`
      )
    },
    { arbitrary: { runs: 3000 } }
  )

  it.prop(
    "normalises all notations of a range",
    { base: Address, share: Share },
    ({ base, share }) => {
      const length = lengthOf(base, share)
      const text = formatIpRange(parsed(`${base}/${length}`))
      assert.strictEqual(formatIpRange(parsed(text)), text)
      assert.deepStrictEqual(parsed(text), parsed(`${base}/${length}`))
      const [address = ""] = text.split("/")
      assert.strictEqual(
        isIP(address) === 4 ? address : new URL(`http://[${address}]`).hostname,
        isIP(address) === 4 ? address : `[${address}]`
      )
    },
    { arbitrary: { runs: 1000 } }
  )

  it.prop(
    "accepts the same addresses as Node",
    {
      address: Address,
      at: Schema.Literals([0, 1, 2, 3, 5, 8, 13]),
      put: Schema.Literals(["", ":", ".", "0", "::", "f", "g", "25", "-", " ", "/"])
    },
    ({ address, at, put }) => {
      const broken = address.slice(0, at) + put + address.slice(at + 1)
      assert.strictEqual(parseIpAddress(broken) !== undefined, isIP(broken) !== 0, broken)
    },
    { arbitrary: { runs: 3000 } }
  )

  it.each([
    ["10.0.0.1/8", "10.0.0.0/8"],
    ["203.0.113.7/32", "203.0.113.7"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["::ffff:10.1.2.3", "10.1.2.3"],
    ["::FFFF:0a01:0203/112", "10.1.0.0/16"],
    ["::ffff:0:0/96", "0.0.0.0/0"],
    ["::ffff:0:0/95", "::fffe:0:0/95"],
    ["2001:DB8:0:0:1:0:0:1/128", "2001:db8::1:0:0:1"],
    ["2001:db8::/32", "2001:db8::/32"],
    ["::/0", "::/0"],
    ["::1", "::1"],
    ["1::", "1::"],
    ["0:1:0:1:0:1:0:1", "0:1:0:1:0:1:0:1"]
  ])("%s is written %s", (text, normal) => {
    assert.strictEqual(formatIpRange(parsed(text)), normal)
  })

  it.each([
    "",
    "/",
    "/8",
    "10.0.0.0/",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/08",
    "10.0.0.0/8/8",
    "10.0.0.0/8 ",
    "::/129",
    "10.0.0",
    "010.0.0.1",
    "0x0a.0.0.1",
    "167772161",
    "10.0.0.256",
    "1.2.3.4::",
    "1::2::3",
    ":::",
    ":1",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8:9",
    "fe80::1%eth0",
    "[::1]",
    "::1.2.3.4.5",
    "localhost",
    "10.0.0.0/255.0.0.0",
    "١.٢.٣.٤"
  ])("%j is not a range", (text) => {
    assert.isUndefined(parseIpRange(text))
  })

  it("contains no IPv4 address if it is an IPv6 range, however wide", () => {
    const client = parseIpAddress("::ffff:10.0.0.1")
    assert.isDefined(client)
    assert.isFalse(contains(parsed("::/0"), client))
    assert.isTrue(contains(parsed("0.0.0.0/0"), client))
  })
})

const bytesOf = (address: string): Array<number> => {
  if (isIP(address) === 4) return address.split(".").map(Number)
  const full = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = "", tail] = full.split("::")
  const side = (text: string | undefined) => (text ? text.split(":") : [])
  const missing = 8 - side(head).length - side(tail).length
  const groups =
    tail === undefined
      ? side(head)
      : [...side(head), ...Array.from({ length: missing }, () => "0"), ...side(tail)]
  return groups.flatMap((text) => [Number.parseInt(text, 16) >> 8, Number.parseInt(text, 16) & 255])
}

/** The first `length` bits of one address and the rest of the other. */
const blend = (base: string, other: string, length: number): string => {
  const rest = bytesOf(other)
  const bytes = bytesOf(base).map((value, index) => {
    const kept = Math.min(8, Math.max(0, length - index * 8))
    const mask = (0xff << (8 - kept)) & 0xff
    return (value & mask) | ((rest[index] ?? 0) & ~mask & 0xff)
  })
  if (bytes.length === 4) return bytes.join(".")
  return Array.from({ length: 8 }, (_, index) =>
    (((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)).toString(16)
  ).join(":")
}

const isMapped = (address: string) =>
  family(address) === "ipv6" && /^(0,){10}255,255,/.test(bytesOf(address).join(","))

/** The result of `node:net`, for which a mapped address is first converted to IPv4. */
const listed = (base: string, length: number, address: string): boolean => {
  const list = new BlockList()
  const toIpv4 = (text: string) => bytesOf(text).slice(12).join(".")
  if (isMapped(base) && length >= 96) list.addSubnet(toIpv4(base), length - 96, "ipv4")
  else list.addSubnet(base, length, family(base))
  const isIpv6Range = family(base) === "ipv6" && !(isMapped(base) && length >= 96)
  if (isMapped(address)) return isIpv6Range ? false : list.check(toIpv4(address), "ipv4")
  return isIpv6Range === (family(address) === "ipv6") && list.check(address, family(address))
}
