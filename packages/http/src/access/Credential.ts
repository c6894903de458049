import { Redacted } from "effect"
import type { Headers } from "effect/http"

const bearer = /^bearer +(\S+) *$/i

/**
 * Whether a request tries to say who it is, however badly. Who does is judged by that alone, and never trusted for where the
 * request comes from.
 */
export const presentsCredential = ({ authorization, "x-api-key": key }: Headers.Headers): boolean =>
  key !== undefined || (authorization !== undefined && /^\s*bearer\b/i.test(authorization))

/**
 * What a request presents: the token of `Authorization: Bearer`, or else `X-API-Key`. An Authorization of another scheme,
 * such as the one a gateway in front adds, is not looked at.
 */
export const credentialOf = (headers: Headers.Headers): Redacted.Redacted | undefined => {
  const { authorization, "x-api-key": key } = headers
  if (authorization === undefined && key === undefined) return undefined
  const token = (authorization && bearer.exec(authorization)?.[1]) || key?.trim()
  return token ? Redacted.make(token) : undefined
}
