import { lifetimes } from "@clicks/core/access/Sessions"
import { Duration, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { isFromTrustedProxy, type TrustedProxies } from "./ClientAddress.ts"

type Request = HttpServerRequest.HttpServerRequest

// The service itself serves plain HTTP; a proxy terminates TLS.
const isSecure = (request: Request, proxies: TrustedProxies): boolean =>
  request.headers["x-forwarded-proto"]?.split(",", 1)[0]?.trim() === "https" &&
  isFromTrustedProxy(request, proxies)

const prefix = "clicks_session"

// Browsers accept a cookie named `__Host-…` only with Secure, and send it only over TLS to the host that set it. They send the cookies of a
// host to all its ports, so the name contains the port.
const nameOf = ({ headers }: Request, secure: boolean): string => {
  const [, port] = /:(\d{1,5})$/.exec(headers["host"] ?? "") ?? []
  return `${secure ? "__Host-" : ""}${prefix}${port === undefined ? "" : `_${port}`}`
}

/** The token in the session cookie of a request. */
export const tokenOf = (request: Request, proxies: TrustedProxies): Redacted.Redacted | undefined => {
  if (!request.headers["cookie"]?.includes(prefix)) return undefined
  const token = request.cookies[nameOf(request, isSecure(request, proxies))]
  return token ? Redacted.make(token) : undefined
}

const attributes = "Path=/; HttpOnly; SameSite=Strict"

const cookie = (request: Request, proxies: TrustedProxies, value: string, seconds: number): string => {
  const secure = isSecure(request, proxies)
  return `${nameOf(request, secure)}=${value}; ${attributes}; Max-Age=${seconds}${secure ? "; Secure" : ""}`
}

/** The `Set-Cookie` that begins a session in the browser. */
export const beginning = (request: Request, proxies: TrustedProxies, token: Redacted.Redacted): string =>
  cookie(request, proxies, Redacted.value(token), Duration.toSeconds(lifetimes.session))

/** The `Set-Cookie` that ends it. */
export const ending = (request: Request, proxies: TrustedProxies): string => cookie(request, proxies, "", 0)
