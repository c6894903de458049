import { lifetimes } from "@clicks/core/access/Sessions"
import { Duration, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { isFromTrustedProxy, type TrustedProxies } from "./ClientAddress.ts"

type Request = HttpServerRequest.HttpServerRequest

// The service speaks HTTP itself; TLS ends in a proxy.
const isSecure = (request: Request, proxies: TrustedProxies): boolean =>
  request.headers["x-forwarded-proto"]?.split(",", 1)[0]?.trim() === "https" &&
  isFromTrustedProxy(request, proxies)

// Browsers accept the prefix only with Secure, and send such a cookie only to the host that set it, over TLS.
const nameOf = (secure: boolean): string => (secure ? "__Host-clicks_session" : "clicks_session")

/** The token in the session cookie of a request. */
export const tokenOf = (request: Request, proxies: TrustedProxies): Redacted.Redacted | undefined => {
  if (!request.headers["cookie"]?.includes("clicks_session=")) return undefined
  const token = request.cookies[nameOf(isSecure(request, proxies))]
  return token ? Redacted.make(token) : undefined
}

const attributes = "Path=/; HttpOnly; SameSite=Strict"

const cookie = (request: Request, proxies: TrustedProxies, value: string, seconds: number): string => {
  const secure = isSecure(request, proxies)
  return `${nameOf(secure)}=${value}; ${attributes}; Max-Age=${seconds}${secure ? "; Secure" : ""}`
}

/** The `Set-Cookie` that begins a session in the browser. */
export const beginning = (request: Request, proxies: TrustedProxies, token: Redacted.Redacted): string =>
  cookie(request, proxies, Redacted.value(token), Duration.toSeconds(lifetimes.session))

/** The `Set-Cookie` that ends it. */
export const ending = (request: Request, proxies: TrustedProxies): string => cookie(request, proxies, "", 0)
