import { Clock, Effect, Layer, Option, Redacted } from "effect"
import { answerWithin } from "../answerWithin.ts"
import { type ApiKey, hashSecret } from "./ApiKey.ts"
import { ApiKeys, ApiKeysError } from "./ApiKeys.ts"

// A look-up takes less than a millisecond; a caller who records a click must not wait much longer for his name.
const patience = "1 second"

// While keys cannot be reached, those that are remembered are not asked for again for this long.
const pauseMillis = 1000

// Outages end within the hour, or somebody revokes keys by other means.
const rememberMillis = 3_600_000

const maxRemembered = 10_000

interface Remembered {
  readonly key: ApiKey
  readonly at: number
}

const remembering = (keys: ApiKeys["Service"]): ApiKeys["Service"] => {
  const remembered = new Map<string, Remembered>()
  let awayUntil = 0

  const learn = (hash: string, found: Option.Option<ApiKey>, at: number) => {
    remembered.delete(hash)
    if (Option.isNone(found)) return
    remembered.set(hash, { key: found.value, at })
    const oldest = remembered.size > maxRemembered ? remembered.keys().next() : undefined
    if (oldest !== undefined && !oldest.done) remembered.delete(oldest.value)
  }

  const verify = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
    const hash = yield* hashSecret(Redacted.value(secret))
    const now = yield* Clock.currentTimeMillis
    const last = remembered.get(hash)
    const known = last !== undefined && now - last.at < rememberMillis ? last.key : undefined
    if (known !== undefined && now < awayUntil) return Option.some(known)
    const unanswered = new ApiKeysError({ operation: "verify", cause: `no answer within ${patience}` })
    return yield* answerWithin(keys.verify(secret), patience, () => unanswered).pipe(
      Effect.tap((found) => Effect.sync(() => learn(hash, found, now))),
      Effect.catch((error) =>
        Effect.flatMap(Clock.currentTimeMillis, (failed) => {
          awayUntil = failed + pauseMillis
          return known === undefined ? Effect.fail(error) : Effect.succeed(Option.some(known))
        })
      )
    )
  })

  return ApiKeys.of({
    ...keys,
    verify,
    revoke: (id) =>
      Effect.tap(keys.revoke(id), () =>
        Effect.sync(() => {
          for (const [hash, { key }] of remembered) if (key.id === id) remembered.delete(hash)
        })
      )
  })
}

/**
 * The keys, with a memory for outages: a key that checked out within the hour is taken for good while the keys cannot be
 * reached, so that a click keeps its user and an idempotency key its caller. As long as they can be reached, they are
 * asked each time; a revoked key ends at once.
 */
export const layer: Layer.Layer<ApiKeys, never, ApiKeys> = Layer.effect(
  ApiKeys,
  Effect.map(ApiKeys, remembering)
)
