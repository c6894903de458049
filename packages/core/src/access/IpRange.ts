/** An IP address as a number of 32 or 128 bits. */
export interface IpAddress {
  readonly bits: 32 | 128
  readonly value: bigint
}

/** The addresses that begin with the same `length` bits. `value` holds those; its other bits are 0. */
export interface IpRange extends IpAddress {
  readonly length: number
}

// A leading zero is refused, not read: some programs take it for octal, and the range would mean two things.
const decimal = /^(?:0|[1-9]\d{0,2})$/

const parseIpv4 = (text: string): bigint | undefined => {
  const parts = text.split(".")
  if (parts.length !== 4 || parts.some((part) => !decimal.test(part) || Number(part) > 255)) return undefined
  return parts.reduce((value, part) => value * 256n + BigInt(part), 0n)
}

/** The 16-bit groups on one side of `::`; undefined when one is none. The last may be an IPv4 address, which is two. */
const parseGroups = (text: string): Array<bigint> | undefined => {
  if (text === "") return []
  const parts = text.split(":")
  const last = parts.at(-1) ?? ""
  const tail = last.includes(".") ? parseIpv4(last) : undefined
  const hex = tail === undefined ? parts : parts.slice(0, -1)
  if (hex.some((part) => !/^[0-9a-f]{1,4}$/i.test(part))) return undefined
  const groups = hex.map((part) => BigInt(`0x${part}`))
  return tail === undefined ? groups : [...groups, tail >> 16n, tail & 0xffffn]
}

const parseIpv6 = (text: string): bigint | undefined => {
  const [head = "", tail, ...more] = text.split("::")
  const left = parseGroups(head)
  const right = tail === undefined ? [] : parseGroups(tail)
  if (more.length > 0 || left === undefined || right === undefined) return undefined
  // An IPv4 tail stands at the very end: `1.2.3.4::` is no address.
  if (tail !== undefined && head.includes(".")) return undefined
  const missing = 8 - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...left, ...new Array<bigint>(missing).fill(0n), ...right]
  return groups.reduce((value, group) => (value << 16n) | group, 0n)
}

const keepFirst = (value: bigint, bits: number, length: number): bigint => {
  const rest = BigInt(bits - length)
  return (value >> rest) << rest
}

// `::ffff:a.b.c.d` is how a socket for both families shows an IPv4 address; it is that address.
const unmapped = ({ bits, length, value }: IpRange): IpRange =>
  bits === 128 && length >= 96 && value >> 32n === 0xffffn
    ? { bits: 32, value: value & 0xffffffffn, length: length - 96 }
    : { bits, value, length }

const parseBits = (text: string): IpRange | undefined => {
  const isIpv6 = text.includes(":")
  const value = isIpv6 ? parseIpv6(text) : parseIpv4(text)
  const bits = isIpv6 ? 128 : 32
  return value === undefined ? undefined : { bits, value, length: bits }
}

/** Reads an IPv4 or IPv6 address. An IPv4-mapped one is the IPv4 address. */
export const parseIpAddress = (text: string): IpAddress | undefined => {
  const found = parseBits(text)
  return found && unmapped(found)
}

/** Reads an address, which is a range of one, or a range in CIDR notation, whatever its other bits are. */
export const parseIpRange = (text: string): IpRange | undefined => {
  const [address = "", length, ...more] = text.split("/")
  const found = parseBits(address)
  if (found === undefined || more.length > 0) return undefined
  if (length === undefined) return unmapped(found)
  if (!decimal.test(length) || Number(length) > found.bits) return undefined
  return unmapped({
    bits: found.bits,
    value: keepFirst(found.value, found.bits, Number(length)),
    length: Number(length)
  })
}

/** Whether the address lies in the range. No IPv4 address lies in an IPv6 range. */
export const contains = (range: IpRange, address: IpAddress): boolean =>
  range.bits === address.bits && keepFirst(address.value, address.bits, range.length) === range.value

/** Unique local and link-local addresses. Their prefixes are short, but no public client has such an address. */
const privateIpv6: ReadonlyArray<IpRange> = [
  { bits: 128, value: 0xfcn << 120n, length: 7 },
  { bits: 128, value: 0xfe80n << 112n, length: 10 }
]

/**
 * Whether the range is shorter than /8 in IPv4 or /16 in IPv6, and not private. No operator owns that many addresses; a few such ranges cover
 * every address.
 */
export const isWide = (range: IpRange): boolean =>
  range.length < (range.bits === 32 ? 8 : 16) &&
  !privateIpv6.some((whole) => whole.length <= range.length && contains(whole, range))

const formatIpv4 = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".")

// RFC 5952: lower case, no leading zeros, `::` for the first of the longest runs of two zero groups or more.
const formatIpv6 = (value: bigint): string => {
  const groups = Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - index * 16)) & 0xffffn)
  const text = groups.map((group) => group.toString(16)).join(":")
  const [longest] = Array.from(text.matchAll(/\b0(?::0)+\b/g)).sort(([a], [b]) => b.length - a.length)
  if (longest === undefined) return text
  const end = longest.index + longest[0].length
  return `${text.slice(0, longest.index).replace(/:$/, "")}::${text.slice(end).replace(/^:/, "")}`
}

/** The one way to write a range: `10.0.0.0/8`, `2001:db8::/32`; a range of one is written as its address. */
export const formatIpRange = ({ bits, length, value }: IpRange): string => {
  const address = bits === 32 ? formatIpv4(value) : formatIpv6(value)
  return length === bits ? address : `${address}/${length}`
}
