import { Redacted } from "effect"
import type { Headers } from "effect/http"

const bearer = /^bearer +(\S+) *$/i

/**
 * Whether a request presents a credential, valid or not. If it does, only the credential counts, and not the address or origin of the
 * request.
 */
export const presentsCredential = ({ authorization, "x-api-key": key }: Headers.Headers): boolean =>
  key !== undefined || (authorization !== undefined && /^\s*bearer\b/i.test(authorization))

/**
 * The credential of a request: the token of `Authorization: Bearer`, or else `X-API-Key`. Other schemes of Authorization, such as one
 * that a gateway adds, are ignored.
 */
export const credentialOf = (headers: Headers.Headers): Redacted.Redacted | undefined => {
  const { authorization, "x-api-key": key } = headers
  if (authorization === undefined && key === undefined) return undefined
  const token = (authorization && bearer.exec(authorization)?.[1]) || key?.trim()
  return token ? Redacted.make(token) : undefined
}
