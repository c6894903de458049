import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { retryDelay } from "../../src/tasks/retryDelay.ts"

const delays = { first: "4 seconds", longest: "1 minute" } as const
const seconds = (attempt: number, random: number) => Duration.toSeconds(retryDelay(attempt, random, delays))

describe("retryDelay", () => {
  it("doubles with each attempt, up to the maximum", () => {
    assert.deepStrictEqual(
      [1, 2, 3, 4, 5, 6, 100, 10_000].map((attempt) => seconds(attempt, 1)),
      [4, 8, 16, 32, 60, 60, 60, 60]
    )
  })

  it("is random within its second half", () => {
    assert.deepStrictEqual(
      [0, 0.25, 0.5, 1].map((random) => seconds(2, random)),
      [4, 5, 6, 8]
    )
  })
})
