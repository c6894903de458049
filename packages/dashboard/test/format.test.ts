import { assert, describe, it } from "@effect/vitest"
import { difference, percent, points } from "../src/state/format.ts"

describe("the change of a rate", () => {
  it("is the difference of the two rates as they are shown", () => {
    const [now, before] = [0.29527, 0.2956]
    assert.deepStrictEqual([percent(now), percent(before)], ["29.5%", "29.6%"])
    assert.strictEqual(points(difference(now, before) ?? 0), "-0.1 pts")
  })
})
