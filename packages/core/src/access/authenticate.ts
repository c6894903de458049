import { Effect, Option, Redacted } from "effect"
import type { PortError } from "../values/PortError.ts"
import { prefix } from "./ApiKey.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { anonymous, authenticated, type Caller } from "./Caller.ts"
import { TokenVerifier, type TokenVerifierError } from "./TokenVerifier.ts"

/**
 * Who presents this credential. One that begins with `clk_` is an API key, any other a token for `TokenVerifier`. A
 * credential that does not check out makes the caller anonymous. Fails when the credential cannot be checked.
 */
export const authenticate: (
  credential: Redacted.Redacted
) => Effect.Effect<Caller, PortError | TokenVerifierError, ApiKeys | TokenVerifier> = Effect.fn(
  "authenticate"
)(function* (credential) {
  if (Redacted.value(credential).startsWith(prefix)) {
    const keys = yield* ApiKeys
    const key = yield* keys.verify(credential)
    return Option.match(key, {
      onNone: () => anonymous,
      onSome: (found) => authenticated(found.user_id, found.role)
    })
  }
  const tokens = yield* TokenVerifier
  return Option.getOrElse(yield* tokens.verify(credential), () => anonymous)
})
