import { parseIpRange } from "@clicks/core/access/IpRange"
import { Option, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IpNetwork, NetAddress } from "effect/net"

/** The networks whose word about a client's address is believed. */
export type TrustedProxies = ReadonlyArray<IpNetwork.IpNetwork>

/** Reads a comma-separated list of networks (`10.0.0.0/8`) and addresses. Fails with the entry that is neither. */
export const parseTrustedProxies = (list: string): Result.Result<TrustedProxies, string> =>
  Result.all(
    list
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "")
      .map((entry) =>
        IpNetwork.fromString(entry).pipe(
          Result.orElse(() =>
            Result.map(NetAddress.ipFromString(entry), (address) =>
              IpNetwork.fromAddressUnsafe(address, NetAddress.width(address))
            )
          ),
          Result.mapError(() => entry)
        )
      )
  )

/** Whether one of the networks is all of IPv4 or all of IPv6. */
export const trustsEveryone = (proxies: TrustedProxies): boolean =>
  proxies.some((network) => parseIpRange(IpNetwork.format(network))?.length === 0)

/** An address as a forwarding header or a socket gives it: with or without a port, brackets or an IPv4-mapped form. */
const parseAddress = (text: string): NetAddress.IpAddress | undefined => {
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text
  const address = Result.getOrUndefined(NetAddress.ipFromString(bare))
  if (address !== undefined) return NetAddress.toCanonical(address)
  const withPort = Result.getOrUndefined(NetAddress.inetAddressFromString(text))
  return withPort && NetAddress.toCanonical(withPort.address)
}

const isTrusted = (proxies: TrustedProxies, address: NetAddress.IpAddress): boolean =>
  proxies.some((network) => IpNetwork.contains(network, address))

/**
 * Follows `X-Forwarded-For` from the right as long as the hop is trusted: the first that is not is the client. Where all
 * are trusted it is the left-most; what is no address ends the walk at the hop that said it.
 */
const followForwarded = (
  peer: NetAddress.IpAddress,
  forwardedFor: string,
  proxies: TrustedProxies
): NetAddress.IpAddress => {
  let nearest = peer
  for (const entry of forwardedFor.split(",").reverse()) {
    if (!isTrusted(proxies, nearest)) return nearest
    const address = parseAddress(entry.trim())
    if (address === undefined) return nearest
    nearest = address
  }
  return nearest
}

// What most sockets show: plain IPv4, or IPv4 seen through a socket that takes both families.
const plainIpv4 = /^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i

/**
 * The address a request comes from, or null when it is not known: the socket's peer; the client that `X-Forwarded-For`
 * names when the peer is a trusted proxy; where there is no peer (a Unix socket), the header as it stands.
 */
export const clientAddress = (
  request: Pick<HttpServerRequest.HttpServerRequest, "remoteAddress" | "headers">,
  proxies: TrustedProxies
): string | null => {
  const forwardedFor = request.headers["x-forwarded-for"]
  const peer = Option.getOrUndefined(request.remoteAddress)
  if (peer === undefined) return forwardedFor || null
  if (proxies.length === 0 || forwardedFor === undefined) {
    const ipv4 = plainIpv4.exec(peer)?.[1]
    if (ipv4 !== undefined) return ipv4
  }
  // A link-local peer carries the name of an interface here, which means nothing elsewhere.
  const address = parseAddress(peer.split("%", 1)[0] ?? peer)
  if (address === undefined) return peer
  return NetAddress.formatIp(
    forwardedFor === undefined ? address : followForwarded(address, forwardedFor, proxies)
  )
}

/**
 * The address that the connection itself, or a trusted proxy, vouches for; null where there is no peer. Unlike
 * `clientAddress` never one that only the client has written.
 */
export const provenAddress = (
  request: Pick<HttpServerRequest.HttpServerRequest, "remoteAddress" | "headers">,
  proxies: TrustedProxies
): string | null => (Option.isNone(request.remoteAddress) ? null : clientAddress(request, proxies))
