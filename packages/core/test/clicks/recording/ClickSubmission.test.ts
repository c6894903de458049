import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { idOfKey, judge } from "../../../src/clicks/recording/ClickSubmission.ts"

const origin = { userId: null, ipAddress: null, userAgent: null }
const click = { product_id: "p-1", action: "view", source: "web" }

const quarantined = (body: unknown, original?: () => Uint8Array) =>
  Result.getOrThrow(judge({ body, origin, ...(original && { original }) }, 0)).quarantined?.original

describe("the original of a click that loses a value", () => {
  it("is a copy of its bytes in the request", () => {
    const request = new TextEncoder().encode('[{"a":1},{"b":2}]')
    const original = quarantined({ ...click, store_id: {} }, () => request.subarray(1, 8))
    assert.strictEqual(new TextDecoder().decode(original), '{"a":1}')
    assert.strictEqual(original?.buffer.byteLength, 7)
  })

  it("is its JSON if there are no bytes, however deeply it is nested", () => {
    const lossy = { ...click, store_id: { id: [17] } }
    assert.strictEqual(new TextDecoder().decode(quarantined(lossy)), JSON.stringify(lossy))
    const deep: unknown = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`)
    assert.strictEqual(
      new TextDecoder().decode(quarantined({ ...click, store_id: deep, extra: deep })),
      JSON.stringify({ ...click, store_id: {} })
    )
  })
})

describe("the id of an idempotency key", () => {
  it.effect("is the same for the same key and caller, and different for any other", () =>
    Effect.gen(function* () {
      const id = yield* idOfKey("u-1", "k-1")
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.strictEqual(yield* idOfKey("u-1", "k-1"), id)
      const others = yield* Effect.all([
        idOfKey("u-1", "k-2"),
        idOfKey("u-2", "k-1"),
        idOfKey(null, "k-1"),
        idOfKey("anonymous", "k-1")
      ])
      assert.strictEqual(new Set([id, ...others]).size, 5)
    })
  )
})
