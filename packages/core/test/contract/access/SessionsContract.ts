import { ApiKeys } from "@clicks/core/access/ApiKeys"
import { lifetimes, type SessionKind, Sessions } from "@clicks/core/access/Sessions"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, type Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"

const begin = (kind: SessionKind, key: string) => Sessions.use((sessions) => sessions.begin(kind, key))
const find = (token: Redacted.Redacted) => Sessions.use((sessions) => sessions.find(token))
const end = (kind: SessionKind, token: Redacted.Redacted) =>
  Sessions.use((sessions) => sessions.end(kind, token))

const newKey = ApiKeys.use((keys) => keys.create({ user_id: "anna", role: "reader", name: null })).pipe(
  Effect.map(({ key }) => key)
)

/** The contract of every `Sessions`. The tests share one layer, which has no keys and sessions at first. */
export const suite = <E>(name: string, sessions: Layer.Layer<Sessions | ApiKeys, E>): void =>
  layer(sessions, { timeout: "60 seconds" })(`Sessions (${name})`, (it) => {
    it.effect("finds a session by its token, with the owner of its key", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 10, 20, 12))
        const key = yield* newKey
        const { expires_at, token } = yield* begin("session", key.id)
        assert.strictEqual(expires_at.toISOString(), "2026-11-21T00:00:00.000Z")
        assert.deepStrictEqual(
          yield* find(token),
          Option.some({ key: key.id, owner: { user_id: "anna", role: "reader" }, expires_at })
        )
        for (const wrong of ["", "x", `${Redacted.value(token)}x`, "\0", "\ud83d"]) {
          assert.isTrue(Option.isNone(yield* find(Redacted.make(wrong))), wrong)
        }
      })
    )

    it.effect("finds no owner for a revoked key, or for a key that is not stored", () =>
      Effect.gen(function* () {
        const key = yield* newKey
        const { token } = yield* begin("session", key.id)
        yield* ApiKeys.use((keys) => keys.revoke(key.id))
        assert.isNull(Option.getOrThrow(yield* find(token)).owner)
        const other = yield* begin("session", "5e88489")
        assert.deepInclude(Option.getOrThrow(yield* find(other.token)), { key: "5e88489", owner: null })
      })
    )

    it.effect("ends a session permanently", () =>
      Effect.gen(function* () {
        const { token } = yield* begin("session", (yield* newKey).id)
        const other = yield* begin("session", (yield* newKey).id)
        assert.isTrue(Option.isSome(yield* end("session", token)))
        assert.isTrue(Option.isNone(yield* find(token)))
        assert.isTrue(Option.isNone(yield* end("session", token)))
        assert.isTrue(Option.isSome(yield* find(other.token)))
      })
    )

    it.effect("forgets a session when it expires", () =>
      Effect.gen(function* () {
        const { token } = yield* begin("session", (yield* newKey).id)
        yield* TestClock.adjust(Duration.subtract(lifetimes.session, Duration.millis(1)))
        assert.isTrue(Option.isSome(yield* find(token)))
        yield* TestClock.adjust("1 milli")
        assert.isTrue(Option.isNone(yield* find(token)))
        assert.isTrue(Option.isNone(yield* end("session", token)))
        yield* begin("session", (yield* newKey).id)
        assert.isTrue(Option.isNone(yield* find(token)))
      })
    )

    it.effect("accepts a link once, within a minute, and never as a session", () =>
      Effect.gen(function* () {
        const key = yield* newKey
        const { token } = yield* begin("link", key.id)
        assert.isTrue(Option.isNone(yield* find(token)))
        assert.isTrue(Option.isNone(yield* end("session", token)))
        const taken = yield* Effect.all(
          Array.from({ length: 5 }, () => end("link", token)),
          { concurrency: 5 }
        )
        assert.deepStrictEqual(
          taken.flatMap((session) => Option.toArray(session).map(({ key }) => key)),
          [key.id]
        )
        const late = yield* begin("link", key.id)
        yield* TestClock.adjust(lifetimes.link)
        assert.isTrue(Option.isNone(yield* end("link", late.token)))
      })
    )
  })
