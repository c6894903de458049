import { type ApiKey, generateSecret, hashSecret } from "@clicks/core/access/ApiKey"
import { ApiKeys, type NewApiKey, type RevocationSignal } from "@clicks/core/access/ApiKeys"
import * as Uuid from "@clicks/core/values/Uuid"
import { Clock, Effect, Layer, Option, PubSub, Redacted, Stream } from "effect"

const make = Effect.gen(function* () {
  const keys = new Map<string, ApiKey>()
  const revoked = yield* PubSub.unbounded<RevocationSignal>()

  const create = Effect.fnUntraced(function* (input: NewApiKey) {
    const secret = yield* generateSecret
    const hash = yield* hashSecret(secret)
    const now = yield* Clock.currentTimeMillis
    const created_at = new Date(now)
    const key: ApiKey = { ...input, id: Uuid.make(now), created_at, last_used_at: null, revoked_at: null }
    keys.set(hash, key)
    return { key, secret: Redacted.make(secret) }
  })

  const verify = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
    const hash = yield* hashSecret(Redacted.value(secret))
    const now = yield* Clock.currentTimeMillis
    const key = keys.get(hash)
    if (key === undefined || key.revoked_at !== null) return Option.none()
    const used = { ...key, last_used_at: new Date(now) }
    keys.set(hash, used)
    return Option.some(used)
  })

  const revoke = Effect.fnUntraced(function* (id: string) {
    const now = yield* Clock.currentTimeMillis
    const [hash, key] = Array.from(keys).find(([, known]) => known.id === id) ?? []
    if (hash === undefined || key === undefined) return Option.none()
    const ended = { ...key, revoked_at: key.revoked_at ?? new Date(now) }
    keys.set(hash, ended)
    yield* PubSub.publish(revoked, { _tag: "Revoked", id })
    return Option.some(ended)
  })

  return ApiKeys.of({
    create,
    verify,
    list: Effect.sync(() => Array.from(keys.values()).reverse()),
    revoke,
    revocations: Stream.unwrap(
      Effect.map(PubSub.subscribe(revoked), (heard) =>
        Stream.concat(Stream.succeed({ _tag: "Listening" as const }), Stream.fromSubscription(heard))
      )
    )
  })
})

/** Keeps keys in this process's memory. */
export const layer: Layer.Layer<ApiKeys> = Layer.effect(ApiKeys, make)
