import { IncomingMessage } from "node:http"
import { parseHostName } from "@clicks/core/access/HostName"
import { parseIpAddress } from "@clicks/core/access/IpRange"
import type { Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { parseList } from "./ClientAddress.ts"

/** A normalised host. Without a port, it matches every port. */
interface Host {
  readonly name: string
  readonly port: number | undefined
}

/** The hosts of this service. */
export type OwnHosts = ReadonlyArray<Host>

const hostAndPort = /^(\[[^\]]+\]|[^:]+)(?::(\d{0,5}))?$/

const normalName = (text: string): string | undefined =>
  text.startsWith("[")
    ? parseIpAddress(text.slice(1, -1))?.toString()
    : (parseIpAddress(text)?.toString() ?? parseHostName(text))

const parseHost = (text: string): Host | undefined => {
  const [, host = text, port = ""] = hostAndPort.exec(text) ?? []
  const name = normalName(host)
  return name === undefined ? undefined : { name, port: port === "" ? undefined : Number(port) }
}

/** Parses a comma-separated list of host names and addresses, with or without a port. Fails with the first entry that is neither. */
export const parseOwnHosts = (list: string): Result.Result<OwnHosts, string> => parseList(list, parseHost)

// Browsers omit the default port of the scheme.
const isSamePort = (own: number | undefined, asked: number | undefined): boolean =>
  own === undefined || own === asked || (asked === undefined && (own === 80 || own === 443))

/** `localhost`, the configured listening address, and the local address of the connection (for a wildcard listener). */
const defaultHosts = (listening: string, { source }: HttpServerRequest.HttpServerRequest): OwnHosts => {
  const local = source instanceof IncomingMessage ? source.socket.localAddress : undefined
  return ["localhost", listening, local ?? ""].flatMap((text) => parseHost(text) ?? [])
}

/**
 * Whether the `Host` header names this service. An attacker can point a host name of their own at our address (DNS rebinding), but requests
 * from their page then have that name in `Host`.
 */
export const isOwnHost = (
  request: HttpServerRequest.HttpServerRequest,
  options: { readonly host: string; readonly hosts?: OwnHosts | undefined }
): boolean => {
  const asked = parseHost(request.headers["host"] ?? "")
  if (asked === undefined) return false
  const hosts = options.hosts ?? defaultHosts(options.host, request)
  return hosts.some(({ name, port }) => name === asked.name && isSamePort(port, asked.port))
}
