import { Option, Result, Schema } from "effect"
import { parseHttpUrl } from "../../values/HttpUrl.ts"
import { type InvalidInput, invalid, quote } from "../../values/InvalidInput.ts"
import { sign, verify } from "../../values/SignedText.ts"
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

/** Programs that handle e-mail may truncate longer links. */
export const longestToken = 2_000

const Token = Schema.fromJsonString(ClickLink)
const write = Schema.encodeSync(Token)
const read = Schema.decodeUnknownOption(Token)

/** Validates the destination and the texts of a link. Fails with a sentence about the first invalid one. */
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

/** Signs a link that was parsed. Fails if the token is too long. */
export const toToken = async (link: ClickLink, hmac: Hmac): Promise<Result.Result<string, InvalidInput>> => {
  const token = await sign(write(link), hmac)
  return token.length > longestToken
    ? invalid(`The link is too long by ${token.length - longestToken} characters; shorten the destination`)
    : Result.succeed(token)
}

/** The link of a token; none if the token was changed or signed with another secret. */
export const fromToken = async (token: string, hmac: Hmac): Promise<Option.Option<ClickLink>> =>
  Option.flatMap(await verify(token, hmac), read).pipe(
    Option.filter(({ to }) => parseHttpUrl(to) !== undefined)
  )
