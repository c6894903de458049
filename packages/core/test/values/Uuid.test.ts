import { assert, describe, it } from "@effect/vitest"
import * as Uuid from "../../src/values/Uuid.ts"

describe("Uuid", () => {
  it("is a UUIDv7 that contains its instant", () => {
    const millis = Date.UTC(2040, 0, 1, 10)
    const id = Uuid.make(millis)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.strictEqual(Number.parseInt(id.replace("-", "").slice(0, 12), 16), millis)
  })

  it("increases within a millisecond, after 4,096 ids, and when the clock steps back", () => {
    const start = Date.UTC(2050, 0, 1)
    const ids = Array.from({ length: 20_000 }, (_, index) =>
      Uuid.make(index < 15_000 ? start : start - 60_000)
    )
    assert.deepStrictEqual([...ids].sort(), ids)
    assert.strictEqual(new Set(ids).size, ids.length)
  })

  it("recognises UUIDs in either case and nothing else", () => {
    assert.isTrue(Uuid.isUuid("019aa0d2-5c00-7000-8000-5F2B0C9D1E3A"))
    assert.isFalse(Uuid.isUuid("019aa0d25c0070008000"))
    assert.isFalse(Uuid.isUuid("x019aa0d2-5c00-7000-8000-5f2b0c9d1e3a"))
  })
})
