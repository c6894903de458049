import { Effect, Option, Redacted } from "effect"
import { prefix } from "./ApiKey.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { anonymous, authenticated } from "./Caller.ts"
import { TokenVerifier } from "./TokenVerifier.ts"

/**
 * The caller of a credential. One that begins with `clk_` is an API key, any other a token for `TokenVerifier`. An invalid
 * credential makes the caller anonymous. Fails when the credential cannot be checked.
 */
export const authenticate = Effect.fn("authenticate")(function* (credential: Redacted.Redacted) {
  if (!Redacted.value(credential).startsWith(prefix)) {
    const tokens = yield* TokenVerifier
    return Option.getOrElse(yield* tokens.verify(credential), () => anonymous)
  }
  const keys = yield* ApiKeys
  return Option.match(yield* keys.verify(credential), {
    onNone: () => anonymous,
    onSome: ({ role, user_id }) => authenticated(user_id, role)
  })
})
