import { Option, Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { parseHttpUrl } from "../../values/HttpUrl.ts"
import { type InvalidInput, invalid, quote } from "../../values/InvalidInput.ts"
import { unstorableReason } from "../../values/Text.ts"
import type { Hmac } from "../../values/WebCrypto.ts"
import { ClickAction } from "../ClickEvent.ts"

/** A destination, and the click that following the link records. */
export const ClickLink = Schema.Struct({
  to: Schema.String,
  product_id: Schema.String,
  action: ClickAction,
  source: Schema.String,
  store_id: Schema.optionalKey(Schema.String),
  brand_id: Schema.optionalKey(Schema.String),
  campaign_id: Schema.optionalKey(Schema.String)
})
export interface ClickLink extends Schema.Schema.Type<typeof ClickLink> {}

/** Beyond it, programs that handle e-mail begin to cut links. */
export const longestToken = 2_000

const Token = Schema.fromJsonString(ClickLink)
const write = Schema.encodeSync(Token)
const read = Schema.decodeUnknownOption(Token)

/** A link with a destination and texts that may be signed. Fails with a sentence about the first that may not. */
export const parse = (link: ClickLink): Result.Result<ClickLink, InvalidInput> => {
  const url = parseHttpUrl(link.to)
  if (url === undefined)
    return invalid(`The destination must be an absolute http or https URL: ${quote(link.to)}`)
  for (const [name, text] of Object.entries<string>({ ...link })) {
    const reason = text === "" ? "is empty" : unstorableReason(text)
    if (reason !== undefined) return invalid(`${name} ${reason}`)
  }
  return Result.succeed({ ...link, to: url.href })
}

/** Signs a link that was parsed: its JSON and the HMAC-SHA256 of that, both in base64url. Fails if the token is too long. */
export const toToken = async (
  link: ClickLink,
  { sign }: Hmac
): Promise<Result.Result<string, InvalidInput>> => {
  const text = Base64Url.encode(write(link))
  const token = `${text}.${Base64Url.encode(await sign(text))}`
  return token.length > longestToken
    ? invalid(`The link is too long by ${token.length - longestToken} characters; shorten the destination`)
    : Result.succeed(token)
}

/** The link of a token; none if the token was not signed with this secret, as it is. */
export const fromToken = async (token: string, { verify }: Hmac): Promise<Option.Option<ClickLink>> => {
  const [text = "", signature = "", ...rest] = token.split(".")
  const bytes = Result.getOrUndefined(Base64Url.decode(signature))
  // Another way to write the same signature is another token.
  if (rest.length > 0 || bytes === undefined || Base64Url.encode(bytes) !== signature) return Option.none()
  if (!(await verify(text, bytes))) return Option.none()
  const json = Result.getOrElse(Base64Url.decodeString(text), () => "")
  return Option.filter(read(json), ({ to }) => parseHttpUrl(to) !== undefined)
}
