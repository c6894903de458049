import { type LookupAddress, type LookupOptions, lookup as systemLookup } from "node:dns"
import type { LookupFunction } from "node:net"
import ipaddr from "ipaddr.js"

// All IPv6 addresses assigned for global use (RFC 4291, section 2.4, and IANA's registry).
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

// IPv6 ranges whose addresses end with an IPv4 address: mapped (RFC 4291), translated (RFC 6052, RFC 8215).
const embedded = new Set(["ipv4Mapped", "rfc6052"])

/**
 * The range of an address that is not public, such as `loopback` or `private`; undefined if it is public. An IPv6 address that contains an
 * IPv4 address has the range of that. The range of a text that is not an address is `invalid`.
 */
export const nonPublicRange = (text: string): string | undefined => {
  if (!ipaddr.isValid(text)) return "invalid"
  const address = ipaddr.parse(text)
  const range = address.range()
  if (address.kind() === "ipv4") return range === "unicast" ? undefined : range
  if (embedded.has(range)) return nonPublicRange(new ipaddr.IPv4(address.toByteArray().slice(-4)).toString())
  if (range !== "unicast") return range
  return address.match(globalUnicast) ? undefined : "reserved"
}

/** The connection was rejected because the name resolves to an address that is not public. */
export class NotPublicAddress extends Error {
  override readonly name = "NotPublicAddress"
  readonly range: string
  constructor(range: string) {
    super(`not a public address (${range})`)
    this.range = range
  }
}

/** Resolves a name to all its addresses: `dns.lookup`, except in tests. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: Array<LookupAddress>) => void
) => void

/**
 * Resolves names for connections, and fails if one of the addresses is not public. The socket connects to the addresses checked here,
 * without another lookup, so DNS rebinding cannot bypass the check.
 */
export const publicLookup =
  (resolve: Resolve = systemLookup): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, "")
      const range = addresses
        .map(({ address }) => nonPublicRange(address))
        .find((found) => found !== undefined)
      if (range !== undefined) return callback(new NotPublicAddress(range), "")
      if (options.all === true) return callback(null, addresses)
      const [first] = addresses
      return first ? callback(null, first.address, first.family) : callback(new Error("no address"), "")
    })
