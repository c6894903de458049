import { ApiKeys, type NewApiKey, type RevocationSignal } from "@clicks/core/access/ApiKeys"
import { Role } from "@clicks/core/access/Caller"
import { replaceUnstorable } from "@clicks/core/values/Text"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, type Layer, Option, Queue, Redacted, Schema, Stream } from "effect"
import { TestClock } from "effect/testing"

const create = (key: Partial<NewApiKey> = {}) =>
  ApiKeys.use((keys) => keys.create({ user_id: "u-1", role: "reader", name: null, ...key }))
const verify = (secret: Redacted.Redacted) => ApiKeys.use((keys) => keys.verify(secret))
const revoke = (id: string) => ApiKeys.use((keys) => keys.revoke(id))
const all = ApiKeys.use((keys) => keys.list)

const found = (id: string) => Effect.map(all, (keys) => keys.find((key) => key.id === id))

/** The contract of every `ApiKeys`. The tests share one layer, which has no keys at first. */
export const suite = <E>(name: string, keys: Layer.Layer<ApiKeys, E>): void =>
  layer(keys, { timeout: "60 seconds" })(`ApiKeys (${name})`, (it) => {
    it.effect("is empty at first", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* all, [])
        assert.deepStrictEqual(yield* verify(Redacted.make("clk_unknown")), Option.none())
      })
    )

    it.effect("lists a new key and verifies its secret", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 10, 20, 12, 0, 0, 7))
        const { key, secret } = yield* create({ user_id: "u-7", role: "admin", name: "shop" })
        assert.deepInclude(key, {
          user_id: "u-7",
          role: "admin",
          name: "shop",
          last_used_at: null,
          revoked_at: null
        })
        assert.strictEqual(key.created_at.toISOString(), "2026-11-20T12:00:00.007Z")
        assert.deepStrictEqual(yield* found(key.id), key)
        const known = Option.getOrThrow(yield* verify(secret))
        assert.deepStrictEqual({ ...known, last_used_at: null }, key)
      })
    )

    it.effect("creates a different secret each time, with the prefix clk_, and stores none", () =>
      Effect.gen(function* () {
        const secrets = yield* Effect.forEach(Array.from({ length: 5 }), () => create()).pipe(
          Effect.map((made) => made.map(({ secret }) => Redacted.value(secret)))
        )
        assert.strictEqual(new Set(secrets).size, 5)
        for (const secret of secrets) assert.match(secret, /^clk_[\w-]{43}$/)
        const listed = JSON.stringify(yield* all)
        for (const secret of secrets) assert.notInclude(listed, secret.slice(4))
      })
    )

    it.effect("verifies only the whole secret", () =>
      Effect.gen(function* () {
        const secret = Redacted.value((yield* create()).secret)
        for (const wrong of [secret.slice(0, -1), `${secret}x`, secret.toUpperCase(), "", "\0", "\ud83d"]) {
          assert.isTrue(Option.isNone(yield* verify(Redacted.make(wrong))))
        }
      })
    )

    it.effect.prop(
      "returns owner, role and name of a key unchanged",
      [Schema.Struct({ user_id: Schema.String, role: Role, name: Schema.NullOr(Schema.String) })],
      ([{ name, role, user_id }]) =>
        Effect.gen(function* () {
          const wanted = { user_id: replaceUnstorable(user_id), role, name: name && replaceUnstorable(name) }
          const { key, secret } = yield* create(wanted)
          assert.deepInclude(Option.getOrThrow(yield* verify(secret)), wanted)
          assert.deepInclude(yield* found(key.id), wanted)
        }),
      { arbitrary: { runs: 30 } }
    )

    it.effect("lists the newest first", () =>
      Effect.gen(function* () {
        const made: Array<string> = []
        for (let index = 0; index < 5; index++) {
          made.unshift((yield* create()).key.id)
          if (index % 2 === 0) yield* TestClock.adjust("1 second")
        }
        const listed = (yield* all).map((key) => key.id)
        assert.deepStrictEqual(
          listed.filter((id) => made.includes(id)),
          made
        )
      })
    )

    it.effect("records the last use to the minute", () =>
      Effect.gen(function* () {
        const { key, secret } = yield* create()
        for (let second = 0; second < 300; second += 25) {
          yield* verify(secret)
          const noted = (yield* found(key.id))?.last_used_at
          const now = yield* TestClock.testClockWith((clock) => clock.currentTimeMillis)
          assert.isTrue(noted instanceof Date && noted.getTime() <= now && noted.getTime() > now - 60_000)
          yield* TestClock.adjust("25 seconds")
        }
      })
    )

    it.effect("rejects a revoked key, and keeps it in the list with the time of its revocation", () =>
      Effect.gen(function* () {
        const { key, secret } = yield* create()
        const other = yield* create()
        const revoked = Option.getOrThrow(yield* revoke(key.id))
        assert.isNotNull(revoked.revoked_at)
        assert.isTrue(Option.isNone(yield* verify(secret)))
        assert.isTrue(Option.isSome(yield* verify(other.secret)))
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual(yield* revoke(key.id), Option.some(revoked))
        assert.deepStrictEqual(yield* found(key.id), revoked)
      })
    )

    it.effect("notifies every listener of a revocation", () =>
      Effect.gen(function* () {
        const { key } = yield* create()
        const listening = yield* Effect.forEach([1, 2], () =>
          Effect.gen(function* () {
            const heard = yield* Queue.unbounded<RevocationSignal>()
            const { revocations } = yield* ApiKeys
            yield* Effect.forkScoped(Stream.runForEach(revocations, (signal) => Queue.offer(heard, signal)))
            assert.deepStrictEqual(yield* Queue.take(heard), { _tag: "Listening" })
            return yield* Effect.forkChild(Queue.take(heard))
          })
        )
        yield* revoke(key.id)
        for (const next of listening) {
          assert.deepStrictEqual(yield* Fiber.join(next), { _tag: "Revoked", id: key.id })
        }
      })
    )

    it.effect("revokes nothing for unknown ids", () =>
      Effect.gen(function* () {
        for (const id of [
          "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a",
          "",
          "key",
          "'; drop table api_keys",
          "\0"
        ]) {
          assert.isTrue(Option.isNone(yield* revoke(id)))
        }
      })
    )
  })
