import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ClickId from "../../src/clicks/ClickId.ts"

describe("ClickId", () => {
  it("is a UUIDv7 that carries its instant", () => {
    const millis = Date.UTC(2040, 0, 1, 10)
    const id = ClickId.make(millis)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.strictEqual(Number.parseInt(id.replace("-", "").slice(0, 12), 16), millis)
  })

  it("grows within a millisecond, beyond 4,096 of them, and when the clock steps back", () => {
    const start = Date.UTC(2050, 0, 1)
    const ids = Array.from({ length: 20_000 }, (_, index) =>
      ClickId.make(index < 15_000 ? start : start - 60_000)
    )
    assert.deepStrictEqual([...ids].sort(), ids)
    assert.strictEqual(new Set(ids).size, ids.length)
  })

  it.effect("of an idempotency key is the same each time, and another for another caller or key", () =>
    Effect.gen(function* () {
      const id = yield* ClickId.fromIdempotencyKey("u-1", "k-1")
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.strictEqual(yield* ClickId.fromIdempotencyKey("u-1", "k-1"), id)
      const others = yield* Effect.all([
        ClickId.fromIdempotencyKey("u-1", "k-2"),
        ClickId.fromIdempotencyKey("u-2", "k-1"),
        ClickId.fromIdempotencyKey(null, "k-1"),
        ClickId.fromIdempotencyKey("anonymous", "k-1")
      ])
      assert.strictEqual(new Set([id, ...others]).size, 5)
    })
  )

  it("knows a UUID when it sees one", () => {
    assert.isTrue(ClickId.isClickId("019aa0d2-5c00-7000-8000-5F2B0C9D1E3A"))
    assert.isFalse(ClickId.isClickId("019aa0d25c0070008000"))
    assert.isFalse(ClickId.isClickId("x019aa0d2-5c00-7000-8000-5f2b0c9d1e3a"))
  })
})
