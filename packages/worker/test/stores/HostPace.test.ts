import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { withSettableClock } from "../../../core/test/settableClock.ts"
import * as HostPace from "../../src/stores/HostPace.ts"

describe("HostPace", () => {
  it.effect("spaces the requests to a host in order, without delaying other hosts", () =>
    Effect.gen(function* () {
      const pace = HostPace.make("1 second")
      const begun: Array<string> = []
      const request = Effect.fnUntraced(function* (host: string, name: string) {
        yield* pace(host)
        begun.push(`${name} at ${yield* Clock.currentTimeMillis}`)
      })
      const fibers = yield* Effect.forEach(
        [request("a", "a1"), request("a", "a2"), request("b", "b1"), request("a", "a3")],
        (effect) => Effect.forkChild(effect, { startImmediately: true })
      )
      yield* TestClock.adjust("1 minute")
      yield* Fiber.joinAll(fibers)
      assert.deepStrictEqual(begun, ["a1 at 0", "b1 at 0", "a2 at 1000", "a3 at 2000"])
      yield* request("a", "later")
      assert.strictEqual(begun.at(-1), "later at 60000")
    })
  )

  it.effect("keeps the interval when the clock is set back", () =>
    withSettableClock(
      Effect.fnUntraced(function* (setBack) {
        const pace = HostPace.make("1 second")
        yield* pace("a")
        yield* setBack("1 hour")
        const next = yield* Effect.forkChild(pace("a"), { startImmediately: true })
        yield* TestClock.adjust("1 second")
        assert.isDefined(next.pollUnsafe())
      })
    )
  )

  it.effect("forgets hosts after their turn", () =>
    Effect.gen(function* () {
      const pace = HostPace.make("1 second")
      for (let host = 0; host < 5000; host++) {
        yield* pace(`host-${host}`)
        yield* TestClock.adjust("10 millis")
      }
      const fiber = yield* Effect.forkChild(pace("host-4999"), { startImmediately: true })
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(fiber)
    })
  )
})
