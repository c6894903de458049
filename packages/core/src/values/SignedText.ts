import { Option, Result } from "effect"
import { Base64Url } from "effect/encoding"
import type { Hmac } from "./WebCrypto.ts"

/** A text and its HMAC-SHA256, both in base64url, with a dot between. Anyone can read it; changing it needs the secret. */
export const sign = async (text: string, hmac: Hmac): Promise<string> => {
  const encoded = Base64Url.encode(text)
  return `${encoded}.${Base64Url.encode(await hmac.sign(encoded))}`
}

/** The text of a token; none if the token was not signed with this secret, as it is. */
export const verify = async (token: string, hmac: Hmac): Promise<Option.Option<string>> => {
  const [encoded = "", signature = "", ...rest] = token.split(".")
  const bytes = Result.getOrUndefined(Base64Url.decode(signature))
  // Another way to write the same signature is another token.
  if (rest.length > 0 || bytes === undefined || Base64Url.encode(bytes) !== signature) return Option.none()
  if (!(await hmac.verify(encoded, bytes))) return Option.none()
  return Result.getSuccess(Base64Url.decodeString(encoded))
}
