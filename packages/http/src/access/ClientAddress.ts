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
  // In 10.1.2.3/8 either the address or the length is a mistake.
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

/** Parses a comma-separated list of networks (`10.0.0.0/8`) and addresses. Fails with the entry that is neither. */
export const parseTrustedProxies = (list: string): Result.Result<TrustedProxies, string> =>
  parseList(list, parseNetwork)

/** What in the list trusts more addresses than any operator's proxies have; undefined if nothing does. */
export const excessiveTrust = (proxies: TrustedProxies): string | undefined => {
  const wide = proxies.find(isWide)
  if (wide !== undefined) return `${formatIpRange(wide)}, a range wider than /8 (IPv4) or /16 (IPv6)`
  return areWide(proxies)
    ? "public ranges that together are wider than one /8 (IPv4) or /16 (IPv6)"
    : undefined
}

const withPort = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/

/** An address as a forwarding header or a socket gives it: with or without a port, brackets or an IPv4-mapped form. */
const parseAddress = (text: string): IpAddress | undefined => {
  const [, bracketed, bare] = withPort.exec(text) ?? []
  return parseIpAddress(bracketed ?? bare ?? text)
}

const isTrusted = (proxies: TrustedProxies, address: IpAddress): boolean =>
  proxies.some((network) => contains(network, address))

/** Whether a proxy that is trusted sent the request, so that its forwarding headers count. */
export const isFromTrustedProxy = ({ remoteAddress }: Request, proxies: TrustedProxies): boolean => {
  const peer = parseAddress(Option.getOrElse(remoteAddress, () => "").split("%", 1)[0] ?? "")
  return peer !== undefined && isTrusted(proxies, peer)
}

type Request = Pick<HttpServerRequest.HttpServerRequest, "remoteAddress" | "headers">

/**
 * Follows `X-Forwarded-For` from the right as long as the hop is trusted: the first that is not is the client. Where all are trusted
 * it is the left-most. An entry that is not an address ends the walk: the client is unknown, and `nearest` is the proxy that sent the
 * entry. Undefined where the peer is not an address.
 */
const follow = (peer: string, forwardedFor: string | undefined, proxies: TrustedProxies) => {
  // A link-local peer is followed by the name of an interface, which means nothing elsewhere.
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
 * The address a request comes from, or null when it is not known: the socket's peer; the client that `X-Forwarded-For`
 * names when the peer is a trusted proxy, or the last known proxy where an entry of it is not an address; where there is no
 * peer (a Unix socket), the header as it stands.
 */
export const clientAddress = (request: Request, proxies: TrustedProxies): string | null => {
  const forwardedFor = request.headers["x-forwarded-for"]
  const peer = Option.getOrUndefined(request.remoteAddress)
  if (peer === undefined) return forwardedFor || null
  return follow(peer, forwardedFor, proxies)?.nearest.toString() ?? peer
}

/**
 * The address that the connection itself, or a trusted proxy, vouches for: what trust may depend on. Null where there is no
 * peer, and where a trusted proxy forwards an entry that is not an address: the client is then unknown, and is not the proxy.
 */
export const provenAddress = (request: Request, proxies: TrustedProxies): string | null => {
  const peer = Option.getOrUndefined(request.remoteAddress)
  const found = peer === undefined ? undefined : follow(peer, request.headers["x-forwarded-for"], proxies)
  return found?.isClient ? found.nearest.toString() : null
}
