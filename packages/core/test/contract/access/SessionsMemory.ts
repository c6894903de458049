import { hashSecret } from "@clicks/core/access/ApiKey"
import { ApiKeys } from "@clicks/core/access/ApiKeys"
import { generateToken, lifetimes, type SessionKind, Sessions } from "@clicks/core/access/Sessions"
import { Clock, Duration, Effect, Layer, Option, Redacted } from "effect"

interface Entry {
  readonly kind: SessionKind
  readonly key: string
  readonly expires_at: Date
}

const make = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const entries = new Map<string, Entry>()

  const begin = Effect.fn("Sessions.begin")(function* (kind: SessionKind, key: string) {
    const token = yield* generateToken
    const now = yield* Clock.currentTimeMillis
    const expires_at = new Date(now + Duration.toMillis(lifetimes[kind]))
    entries.set(yield* hashSecret(token), { kind, key, expires_at })
    return { token: Redacted.make(token), expires_at }
  })

  const lookUp = Effect.fnUntraced(function* (kind: SessionKind, hash: string) {
    const entry = entries.get(hash)
    const now = yield* Clock.currentTimeMillis
    if (entry?.kind !== kind || entry.expires_at.getTime() <= now) return Option.none()
    const found = (yield* keys.list).find(({ id, revoked_at }) => id === entry.key && revoked_at === null)
    const owner = found === undefined ? null : { user_id: found.user_id, role: found.role }
    return Option.some({ key: entry.key, owner, expires_at: entry.expires_at })
  })

  const find = Effect.fn("Sessions.find")(function* (token: Redacted.Redacted) {
    return yield* lookUp("session", yield* hashSecret(Redacted.value(token)))
  })

  const end = Effect.fn("Sessions.end")(function* (kind: SessionKind, token: Redacted.Redacted) {
    const hash = yield* hashSecret(Redacted.value(token))
    const found = yield* lookUp(kind, hash)
    return Option.filter(found, () => entries.delete(hash))
  })

  return Sessions.of({ begin, find, end })
})

/** Keeps sessions in this process's memory. */
export const layer: Layer.Layer<Sessions, never, ApiKeys> = Layer.effect(Sessions, make)
