import ipaddr from "ipaddr.js"

// All of IPv6 that is given out to be reached from anywhere (RFC 4291, section 2.4, and IANA's registry).
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

// The last four bytes are the IPv4 address that is really meant: mapped (RFC 4291), translated (RFC 6052, RFC 8215).
const embedded = new Set(["ipv4Mapped", "rfc6052"])

/**
 * What kind of address it is when it is not one of the public internet, such as `loopback` or `private`; undefined when it is
 * public. An IPv6 address that stands for an IPv4 address is judged as that one. A text that is no address is `invalid`.
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
