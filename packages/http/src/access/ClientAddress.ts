import {
  areWide,
  contains,
  formatIpRange,
  type IpAddress,
  type IpRange,
  isWide,
  parseIpAddress,
  parseIpRange
} from "@clicks/core/access/IpRange"
import { Option, Result } from "effect"
import type { HttpServerRequest } from "effect/http"

/** The networks whose `X-Forwarded-For` is trusted. */
export type TrustedProxies = ReadonlyArray<IpRange>

const parseNetwork = (entry: string): IpRange | undefined => {
  const range = parseIpRange(entry)
  const [address = ""] = entry.split("/")
  // Rejects 10.1.2.3/8, for example: the network is 10.0.0.0/8, so either the address or the length is a mistake.
  return range?.network.toString() === parseIpAddress(address)?.toString() ? range : undefined
}

/** Parses a comma-separated list. Fails with the first entry that `parse` does not accept. */
export const parseList = <A extends object>(
  list: string,
  parse: (entry: string) => A | undefined
): Result.Result<Array<A>, string> => {
  const entries = list.split(",").map((entry) => entry.trim())
  const given = entries.filter((entry) => entry !== "")
  return Result.all(given.map((entry) => Result.fromNullishOr(parse(entry), () => entry)))
}

/** Parses a comma-separated list of networks (`10.0.0.0/8`) and addresses. Fails with the first entry that is neither. */
export const parseTrustedProxies = (list: string): Result.Result<TrustedProxies, string> =>
  parseList(list, parseNetwork)

/** Describes the entries that trust more addresses than the proxies of any operator have; undefined if there are none. */
export const excessiveTrust = (proxies: TrustedProxies): string | undefined => {
  const wide = proxies.find(isWide)
  if (wide !== undefined) return `${formatIpRange(wide)}, a range wider than /8 (IPv4) or /16 (IPv6)`
  return areWide(proxies)
    ? "public ranges that together are wider than one /8 (IPv4) or /16 (IPv6)"
    : undefined
}

const withPort = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/

/** Parses an address as forwarding headers and sockets write it: with or without a port or brackets, or as an IPv4-mapped address. */
const parseAddress = (text: string): IpAddress | undefined => {
  const [, bracketed, bare] = withPort.exec(text) ?? []
  return parseIpAddress(bracketed ?? bare ?? text)
}

const isTrusted = (proxies: TrustedProxies, address: IpAddress): boolean =>
  proxies.some((network) => contains(network, address))

/** Whether a trusted proxy sent the request. Only then do its forwarding headers count. */
export const isFromTrustedProxy = ({ remoteAddress }: Request, proxies: TrustedProxies): boolean => {
  const peer = parseAddress(Option.getOrElse(remoteAddress, () => "").split("%", 1)[0] ?? "")
  return peer !== undefined && isTrusted(proxies, peer)
}

type Request = Pick<HttpServerRequest.HttpServerRequest, "remoteAddress" | "headers">

/**
 * Reads `X-Forwarded-For` from right to left as long as each address is a trusted proxy. The first address that is not one is the client;
 * if all are, the left-most is. An entry that is not an address ends the search: the client is unknown, and `nearest` is the proxy that
 * added the entry. Returns undefined if the peer is not an address.
 */
const follow = (peer: string, forwardedFor: string | undefined, proxies: TrustedProxies) => {
  // A link-local address ends with the name of an interface (`fe80::1%eth0`), which means nothing on other machines.
  let nearest = parseAddress(peer.split("%", 1)[0] ?? peer)
  if (nearest === undefined) return undefined
  for (const entry of forwardedFor?.split(",").reverse() ?? []) {
    if (!isTrusted(proxies, nearest)) break
    const address = parseAddress(entry.trim())
    if (address === undefined) return { nearest, isClient: false }
    nearest = address
  }
  return { nearest, isClient: true }
}

/**
 * The address that a request comes from, to be stored; null if it is unknown.
 * - Usually, it is the peer of the socket.
 * - If the peer is a trusted proxy, it is the client named by `X-Forwarded-For`, or the last known proxy if an entry is not an address.
 * - Without a peer (a Unix socket), it is `X-Forwarded-For` unchanged.
 */
export const clientAddress = (request: Request, proxies: TrustedProxies): string | null => {
  const forwardedFor = request.headers["x-forwarded-for"]
  const peer = Option.getOrUndefined(request.remoteAddress)
  if (peer === undefined) return forwardedFor || null
  return follow(peer, forwardedFor, proxies)?.nearest.toString() ?? peer
}

/**
 * The client's address as far as the connection itself or a trusted proxy proves it. Trust may depend on this address. Null without a peer
 * (a Unix socket), and if `X-Forwarded-For` from a trusted proxy has an entry that is not an address: then the client is unknown, and the
 * proxy must not be taken for it.
 */
export const provenAddress = (request: Request, proxies: TrustedProxies): string | null => {
  const peer = Option.getOrUndefined(request.remoteAddress)
  const found = peer === undefined ? undefined : follow(peer, request.headers["x-forwarded-for"], proxies)
  return found?.isClient ? found.nearest.toString() : null
}
