import type { TrustedOriginFields } from "@clicks/core/access/TrustedOrigin"
import { TrustedOrigins } from "@clicks/core/access/TrustedOrigins"
import { isUuid } from "@clicks/core/values/Uuid"
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"

const fields = (value: string, more: Partial<TrustedOriginFields> = {}): TrustedOriginFields => ({
  kind: "domain",
  value,
  name: null,
  enabled: true,
  ...more
})

const unknown = ["019aa0d2-5c00-7000-8000-5f2b0c9d1e3a", "no id", "", "'"]

/** The contract of every `TrustedOrigins`. The tests share one layer, whose list is empty at first. */
export const suite = <E>(name: string, origins: Layer.Layer<TrustedOrigins, E>): void =>
  layer(origins, { timeout: "60 seconds" })(`TrustedOrigins (${name})`, (it) => {
    it.effect("lists added entries, newest first", () =>
      Effect.gen(function* () {
        const { add, list } = yield* TrustedOrigins
        assert.deepStrictEqual(yield* list, [])
        const now = Date.UTC(2026, 10, 20, 12, 0, 0, 7)
        yield* TestClock.setTime(now)
        const first = yield* add(fields("one.example", { name: "it's “one” 😀" }))
        const second = yield* add(fields("2001:db8::/32", { kind: "address", enabled: false }))
        assert.deepInclude(first, {
          ...fields("one.example", { name: "it's “one” 😀" }),
          created_at: new Date(now),
          updated_at: new Date(now)
        })
        assert.isTrue(isUuid(first.id))
        assert.deepStrictEqual(yield* list, [second, first])
      })
    )

    it.effect("rejects a repeated value, whatever else differs", () =>
      Effect.gen(function* () {
        const { add, list, update } = yield* TrustedOrigins
        const entry = yield* add(fields("once.example"))
        const before = yield* list
        const error = yield* Effect.flip(add(fields("once.example", { enabled: false, name: "other" })))
        assert.deepInclude(error, { _tag: "RepeatedTrustedOrigin", value: "once.example" })
        const other = yield* add(fields("other.example"))
        const clash = yield* Effect.flip(update(other.id, fields("once.example")))
        assert.strictEqual(clash._tag, "RepeatedTrustedOrigin")
        assert.deepStrictEqual(yield* list, [other, ...before])
        assert.deepStrictEqual(
          Option.map(yield* update(entry.id, fields("once.example")), ({ value }) => value),
          Option.some("once.example")
        )
      })
    )

    it.effect("stores one entry when a value is added many times at once", () =>
      Effect.gen(function* () {
        const { add, list } = yield* TrustedOrigins
        const results = yield* Effect.all(
          Array.from({ length: 10 }, () => Effect.result(add(fields("race.example")))),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          results.filter((result) => result._tag === "Success"),
          1
        )
        assert.lengthOf(
          (yield* list).filter(({ value }) => value === "race.example"),
          1
        )
      })
    )

    it.effect("replaces an entry's fields and its update time, and keeps its place and creation time", () =>
      Effect.gen(function* () {
        const { add, list, update } = yield* TrustedOrigins
        const entry = yield* add(fields("before.example", { name: "before" }))
        yield* add(fields("newer.example"))
        yield* TestClock.adjust("1 hour")
        const changed = fields("*.after.example", { kind: "pattern", enabled: false })
        const updated = yield* Effect.fromOption(yield* update(entry.id, changed))
        assert.deepStrictEqual(updated, {
          ...entry,
          ...changed,
          updated_at: new Date(entry.updated_at.getTime() + 3_600_000)
        })
        assert.deepStrictEqual((yield* list)[1], updated)
      })
    )

    it.effect("removes an entry and frees its value", () =>
      Effect.gen(function* () {
        const { add, list, remove } = yield* TrustedOrigins
        const entry = yield* add(fields("gone.example"))
        assert.deepStrictEqual(yield* remove(entry.id), Option.some(entry))
        assert.deepStrictEqual(yield* remove(entry.id), Option.none())
        assert.notInclude(
          (yield* list).map(({ value }) => value),
          "gone.example"
        )
        yield* add(fields("gone.example"))
      })
    )

    it.effect.each(unknown)("finds nothing to change under the id %j", (id) =>
      Effect.gen(function* () {
        const { list, remove, update } = yield* TrustedOrigins
        const before = yield* list
        assert.deepStrictEqual(yield* update(id, fields("nowhere.example")), Option.none())
        assert.deepStrictEqual(yield* remove(id), Option.none())
        assert.deepStrictEqual(yield* list, before)
      })
    )
  })
