import ipaddr from "ipaddr.js"

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/** The addresses that begin with the same `length` bits as `network`, whose other bits are 0. */
export interface IpRange {
  readonly network: IpAddress
  readonly length: number
}

const { IPv4, IPv6 } = ipaddr

const attempt = <Address>(parse: () => Address): Address | undefined => {
  try {
    return parse()
  } catch {
    return undefined
  }
}

const dotted = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/

// ipaddr.js also reads 010.1 as an address, a tail of 1.2.3.010, and ::1.2.3.4 as an IPv4-mapped address. Other programs read those
// differently, so a range would be ambiguous. Only the form that all agree on is passed to it.
const parseExactly = (text: string): IpAddress | undefined => {
  const tail = text.slice(text.lastIndexOf(":") + 1)
  const ipv4 = dotted.test(tail) ? attempt(() => IPv4.parse(tail)) : undefined
  if (tail === text) return ipv4
  const groups = ipv4?.toIPv4MappedAddress().toNormalizedString().split(":").slice(-2).join(":") ?? tail
  const ipv6 = text.slice(0, text.length - tail.length) + groups
  return /[.%]/.test(ipv6) ? undefined : attempt(() => IPv6.parse(ipv6))
}

// A dual-stack socket shows an IPv4 address as `::ffff:a.b.c.d`.
const unmapped = ({ length, network }: IpRange): IpRange =>
  network instanceof IPv6 && length >= 96 && network.isIPv4MappedAddress()
    ? { network: network.toIPv4Address(), length: length - 96 }
    : { network, length }

const bitsOf = (address: IpAddress): 32 | 128 => (address.kind() === "ipv4" ? 32 : 128)

/** Parses an IPv4 or IPv6 address. An IPv4-mapped one is returned as the IPv4 address. */
export const parseIpAddress = (text: string): IpAddress | undefined => {
  const address = parseExactly(text)
  return address && unmapped({ network: address, length: bitsOf(address) }).network
}

/** Parses a range in CIDR notation, or an address, which is a range of one. Bits beyond the length are ignored. */
export const parseIpRange = (text: string): IpRange | undefined => {
  const [start = "", length, ...more] = text.split("/")
  const address = parseExactly(start)
  if (address === undefined || more.length > 0) return undefined
  const bits =
    length === undefined ? bitsOf(address) : /^(?:0|[1-9]\d{0,2})$/.test(length) ? Number(length) : 999
  if (bits > bitsOf(address)) return undefined
  const family = address.kind() === "ipv4" ? IPv4 : IPv6
  return unmapped({ network: family.networkAddressFromCIDR(`${address}/${bits}`), length: bits })
}

/** Whether the address lies in the range. No IPv4 address lies in an IPv6 range. */
export const contains = ({ length, network }: IpRange, address: IpAddress): boolean =>
  network.kind() === address.kind() && address.match(network, length)

// Unique local and link-local addresses. Their prefixes are short, but no public client has such an address.
const privateLengths: Readonly<Record<string, number>> = { uniqueLocal: 7, linkLocal: 10 }

/**
 * Whether the range is shorter than /8 in IPv4 or /16 in IPv6, and not private. No operator owns that many addresses; a few such
 * ranges cover every address.
 */
export const isWide = ({ length, network }: IpRange): boolean =>
  length < (network.kind() === "ipv4" ? 8 : (privateLengths[network.range()] ?? 16))

const isPrivate = ({ network }: IpRange): boolean =>
  ["private", "carrierGradeNat", "loopback", "uniqueLocal", "linkLocal"].includes(network.range())

/** Whether the public ranges together are wider than one /8 in IPv4 or one /16 in IPv6. Overlaps count twice. */
export const areWide = (ranges: ReadonlyArray<IpRange>): boolean => {
  const shareOf = (kind: "ipv4" | "ipv6") =>
    ranges
      .filter((range) => range.network.kind() === kind && !isPrivate(range))
      .reduce((share, { length }) => share + 2 ** -length, 0)
  return shareOf("ipv4") > 2 ** -8 || shareOf("ipv6") > 2 ** -16
}

/** The canonical form of a range: `10.0.0.0/8`, `2001:db8::/32`; a range of one address is that address. */
export const formatIpRange = ({ length, network }: IpRange): string =>
  length === bitsOf(network) ? `${network}` : `${network}/${length}`
