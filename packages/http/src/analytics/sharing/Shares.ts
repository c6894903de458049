import { hashSecret } from "@clicks/core/access/ApiKey"
import { ApiKeys } from "@clicks/core/access/ApiKeys"
import { LinkSecret } from "@clicks/core/clicks/links/LinkSecret"
import type { PortError } from "@clicks/core/values/PortError"
import { sign, verify } from "@clicks/core/values/SignedText"
import { type Hmac, hmac } from "@clicks/core/values/WebCrypto"
import { Clock, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Base64Url } from "effect/encoding"

/** What the holders of a share link may read. */
export const Share = Schema.Struct({
  /** Query parameters that every request through the link gets. */
  filter: Schema.Record(Schema.String, Schema.String),
  /** The id of the API key of the caller who created the share, or a code for the admin key of the settings. */
  key: Schema.String,
  expires_at: Schema.DateFromString
})
export interface Share extends Schema.Schema.Type<typeof Share> {}

const Token = Schema.fromJsonString(Share)
const write = Schema.encodeSync(Token)
const read = Schema.decodeUnknownOption(Token)

/** Signs and opens share links. Nothing is stored: a link is valid until it expires, or the key of its creator is revoked. */
export class Shares extends Context.Service<
  Shares,
  {
    /** The token of a share. */
    readonly create: (share: Share) => Effect.Effect<string, PortError>
    /** The share of a token; none if it is forged, has expired, or its key is revoked. */
    readonly open: (token: string) => Effect.Effect<Option.Option<Share>, PortError>
  }
>()("@clicks/http/analytics/sharing/Shares") {}

const make = Effect.fnUntraced(function* (adminKey: Redacted.Redacted | undefined) {
  const { get } = yield* LinkSecret
  const { list } = yield* ApiKeys
  const adminHash = adminKey && (yield* hashSecret(Redacted.value(adminKey)))
  const secret = Effect.flatMap(get, (bytes) => Effect.promise(() => hmac(bytes)))

  // The content of a token is readable, and a plain hash of the admin key would let anyone who has the token test guesses of the key.
  const codeOf = (key: string, signer: Hmac) =>
    key === adminHash
      ? Effect.promise(async () => Base64Url.encode(await signer.sign(key)))
      : Effect.succeed(key)

  const isValid = Effect.fnUntraced(function* (key: string, signer: Hmac) {
    if (adminHash !== undefined && key === (yield* codeOf(adminHash, signer))) return true
    return (yield* list).some(({ id, revoked_at }) => id === key && revoked_at === null)
  })

  const create = Effect.fn("Shares.create")(function* (share: Share) {
    const signer = yield* secret
    const key = yield* codeOf(share.key, signer)
    return yield* Effect.promise(() => sign(write({ ...share, key }), signer))
  })

  const open = Effect.fn("Shares.open")(function* (token: string) {
    const signer = yield* secret
    const found = Option.flatMap(yield* Effect.promise(() => verify(token, signer)), read)
    const now = yield* Clock.currentTimeMillis
    if (Option.isNone(found) || found.value.expires_at.getTime() <= now) return Option.none()
    return (yield* isValid(found.value.key, signer)) ? found : Option.none()
  })

  return Shares.of({ create, open })
})

/** Share links of API keys and, if given, of one fixed admin key. */
export const layer = (
  adminKey: Redacted.Redacted | undefined
): Layer.Layer<Shares, never, ApiKeys | LinkSecret> => Layer.effect(Shares, make(adminKey))
