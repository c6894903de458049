import { Clock, Effect, Layer, Option, Redacted } from "effect"
import { Outage } from "../Outage.ts"
import { type ApiKey, hashSecret } from "./ApiKey.ts"
import { ApiKeys, ApiKeysError } from "./ApiKeys.ts"

// A look-up takes less than a millisecond; a caller who records a click must not wait much longer for his name.
const patience = "1 second"

// Outages end within the hour, or somebody revokes keys by other means.
const rememberMillis = 3_600_000

const maxRemembered = 10_000

interface Remembered {
  readonly key: ApiKey
  readonly at: number
}

const remembering = (keys: ApiKeys["Service"], outage: Outage["Service"]): ApiKeys["Service"] => {
  const remembered = new Map<string, Remembered>()

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
    return yield* outage.ask(keys.verify(secret), patience).pipe(
      Effect.tap((found) => Effect.sync(() => learn(hash, found, now))),
      Effect.catch((cause) =>
        known === undefined ? new ApiKeysError({ operation: "verify", cause }) : Effect.succeedSome(known)
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
export const layer: Layer.Layer<ApiKeys, never, ApiKeys | Outage> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    return remembering(yield* ApiKeys, yield* Outage)
  })
)
