import { assert, describe, it } from "@effect/vitest"
import { change, difference, percent, points } from "../src/state/format.ts"

describe("the change of a rate", () => {
  it("is the difference of the two rates as they are shown", () => {
    const [now, before] = [0.29527, 0.2956]
    assert.deepStrictEqual([percent(now), percent(before)], ["29.5%", "29.6%"])
    assert.strictEqual(points(difference(now, before) ?? 0), "−0.1 pts")
  })
})

describe("a percentage", () => {
  it("has one decimal, so that percentages in a column align", () => {
    assert.deepStrictEqual([percent(0.25), percent(0.503), percent(1)], ["25.0%", "50.3%", "100.0%"])
    assert.deepStrictEqual([change(1.75), change(0), points(0.2)], ["+175.0%", "0.0%", "+20.0 pts"])
  })
})
