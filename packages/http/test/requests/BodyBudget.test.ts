import { assert, describe, it, vi } from "@effect/vitest"
import { afterEach } from "vitest"
import { BodyBudget, type Share } from "../../src/requests/BodyBudget.ts"

afterEach(() => {
  vi.useRealTimers()
})

/** A budget of 100 bytes, and a record of what happened to the requests. */
const hundredBytes = () => {
  const budget = new BodyBudget(100)
  const begun: Array<string> = []
  const expelled: Array<string> = []
  const claim = (name: string, bytes: number): Share => {
    const share = budget.share(bytes)
    share.claim({
      begin: () => begun.push(name),
      expel: () => {
        expelled.push(name)
        share.release()
      }
    })
    return share
  }
  return { begun, claim, expelled }
}

describe("the budget of bodies", () => {
  it("admits requests while there is room, then in order of arrival", () => {
    const { begun, claim } = hundredBytes()
    const first = claim("first", 60)
    const second = claim("second", 40)
    claim("large", 60)
    claim("small", 10)
    assert.deepStrictEqual(begun, ["first", "second"])
    second.release()
    // There is room for the small one, but it came after the large one.
    assert.deepStrictEqual(begun, ["first", "second"])
    first.release()
    assert.deepStrictEqual(begun, ["first", "second", "large", "small"])
  })

  it("drops a waiting request that disconnects, and releases each share once", () => {
    const { begun, claim } = hundredBytes()
    const first = claim("first", 100)
    const left = claim("left", 100)
    claim("last", 100)
    left.release()
    assert.deepStrictEqual(begun, ["first"])
    first.release()
    first.release()
    claim("next", 1)
    assert.deepStrictEqual(begun, ["first", "last"])
  })

  it("admits a body larger than the whole budget, alone", () => {
    const { begun, claim } = hundredBytes()
    const large = claim("large", 1_000)
    claim("next", 1)
    assert.deepStrictEqual(begun, ["large"])
    large.release()
    assert.deepStrictEqual(begun, ["large", "next"])
  })

  it("expels slow bodies only while others wait, and never a complete one", () => {
    vi.useFakeTimers()
    const { begun, claim, expelled } = hundredBytes()
    claim("arrived", 50).arrived()
    claim("late", 50)
    vi.advanceTimersByTime(60_000)
    assert.deepStrictEqual(expelled, [])
    claim("next", 50)
    vi.advanceTimersByTime(1_000)
    assert.deepStrictEqual(expelled, ["late"])
    assert.deepStrictEqual(begun, ["arrived", "late", "next"])
  })
})
