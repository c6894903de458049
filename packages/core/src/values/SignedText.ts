import { Option, Result } from "effect"
import { Base64Url } from "effect/encoding"
import type { Hmac } from "./WebCrypto.ts"

/** A text and its HMAC-SHA256, both in base64url, separated by a dot. Anyone can read the text, but changing it requires the secret. */
export const sign = async (text: string, hmac: Hmac): Promise<string> => {
  const encoded = Base64Url.encode(text)
  return `${encoded}.${Base64Url.encode(await hmac.sign(encoded))}`
}

/** The text of a token; none unless exactly this token was signed with this secret. */
export const verify = async (token: string, hmac: Hmac): Promise<Option.Option<string>> => {
  const [encoded = "", signature = "", ...rest] = token.split(".")
  const bytes = Result.getOrUndefined(Base64Url.decode(signature))
  // base64url can spell the same bytes in several ways. Only the one that `sign` writes is valid.
  if (rest.length > 0 || bytes === undefined || Base64Url.encode(bytes) !== signature) return Option.none()
  if (!(await hmac.verify(encoded, bytes))) return Option.none()
  return Result.getSuccess(Base64Url.decodeString(encoded))
}
