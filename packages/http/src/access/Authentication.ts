import { createHash, timingSafeEqual } from "node:crypto"
import { type ApiKey, hashSecret, prefix } from "@clicks/core/access/ApiKey"
import type { ApiKeys } from "@clicks/core/access/ApiKeys"
import { anonymous, authenticated, type Caller } from "@clicks/core/access/Caller"
import { SenderKeys } from "@clicks/core/access/SenderKeys"
import { TokenVerifier } from "@clicks/core/access/TokenVerifier"
import { answerWithin } from "@clicks/core/answerWithin"
import { Context, Data, Effect, Layer, Option, Redacted } from "effect"
import type { Headers, HttpServerRequest } from "effect/http"
import { limitedWarning } from "../server/limitedWarning.ts"

const bearer = /^bearer +(\S+) *$/i

/**
 * Whether a request presents a credential, valid or not. If it does, only the credential counts, not the address or origin of the request.
 */
export const presentsCredential = ({ authorization, "x-api-key": key }: Headers.Headers): boolean =>
  key !== undefined || (authorization !== undefined && /^\s*bearer\b/i.test(authorization))

/**
 * The credential of a request: the token of `Authorization: Bearer`, or else `X-API-Key`. Other schemes of Authorization, such as one
 * that a gateway adds, are ignored.
 */
const credentialOf = (headers: Headers.Headers): Redacted.Redacted | undefined => {
  const { authorization, "x-api-key": key } = headers
  if (authorization === undefined && key === undefined) return undefined
  const token = (authorization && bearer.exec(authorization)?.[1]) || key?.trim()
  return token ? Redacted.make(token) : undefined
}

/** A credential cannot be checked: keys cannot be looked up, or the issuer of tokens cannot be reached. The cause has been logged. */
export class CredentialUnchecked extends Data.TaggedError("CredentialUnchecked") {}

/** How long a request waits for its credential to be checked. */
const patience = "2 seconds"

/** Limits the check of a credential to two seconds, after which it fails. */
export const inTime = <A, E, R>(answer: Effect.Effect<A, E, R>) =>
  answerWithin(answer, patience, () => Effect.fail(new Error(`no answer within ${patience}`)))

type CallerOf = (
  request: Pick<HttpServerRequest.HttpServerRequest, "headers">
) => Effect.Effect<Caller, CredentialUnchecked>

/** Identifies the caller of a request. */
export class Authentication extends Context.Service<
  Authentication,
  {
    /** The caller; anonymous without a valid credential. Returns within two seconds, at once during an outage. */
    readonly callerOf: CallerOf
    /**
     * The caller to store with a click. During an outage, keys that were valid when it began still identify their users, so never use this
     * to grant access.
     */
    readonly senderOf: CallerOf
  }
>()("@clicks/http/access/Authentication") {}

const digest = (text: string) => createHash("sha256").update(text).digest()

// Compares digests, so that the duration reveals neither the position of the first difference nor the length.
const isAdminKey = (adminKey: Redacted.Redacted | undefined) => {
  if (adminKey === undefined) return () => false
  const expected = digest(Redacted.value(adminKey))
  return (credential: Redacted.Redacted) => timingSafeEqual(digest(Redacted.value(credential)), expected)
}

const ownerOf = ({ id, role, user_id }: ApiKey): Caller => authenticated(user_id, role, id)

const make = Effect.fnUntraced(function* (adminKey: Redacted.Redacted | undefined) {
  const { verify, verifyAccess } = yield* SenderKeys
  const tokens = yield* TokenVerifier
  const isAdmin = isAdminKey(adminKey)
  const nobody = Effect.succeed(anonymous)
  const adminHash = adminKey === undefined ? null : yield* hashSecret(Redacted.value(adminKey))
  const admin = Effect.succeed(authenticated("admin", "admin", adminHash))
  const warn = limitedWarning()
  const unchecked = (error: Error) =>
    Effect.andThen(warn("A credential cannot be checked", error), new CredentialUnchecked())
  const identify =
    (verifyKey: ApiKeys["Service"]["verify"]): CallerOf =>
    (request) => {
      const credential = credentialOf(request.headers)
      if (credential === undefined) return nobody
      if (isAdmin(credential)) return admin
      const found = Redacted.value(credential).startsWith(prefix)
        ? Effect.map(verifyKey(credential), Option.map(ownerOf))
        : tokens.verify(credential)
      const caller = Effect.map(
        found,
        Option.getOrElse(() => anonymous)
      )
      return Effect.catch(inTime(caller), unchecked)
    }

  return Authentication.of({ callerOf: identify(verifyAccess), senderOf: identify(verify) })
})

/** Accepts API keys (`clk_…`), tokens and, if given, one fixed key that is an admin with the user id `admin`. */
export const layer = (
  adminKey: Redacted.Redacted | undefined
): Layer.Layer<Authentication, never, SenderKeys | TokenVerifier> =>
  Layer.effect(Authentication, make(adminKey))
