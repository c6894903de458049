import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, Logger, Queue, References, Stream } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { notifications } from "../src/notifications.ts"

const refused = new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: "refused" }) })

describe("the listener, while the database is unavailable", () => {
  it.effect("retries less and less often, and logs and reports the outage once", () =>
    Effect.gen(function* () {
      const attempts: Array<number> = []
      const [log, signals] = [[] as Array<unknown>, [] as Array<string>]
      const listen = () =>
        Effect.andThen(
          Effect.map(Clock.currentTimeMillis, (now) => attempts.push(now)),
          Effect.fail(refused)
        )
      const logger = Logger.layer([Logger.make(({ message }) => void log.push(message))])
      const heard = { heard: () => "heard", connected: "connected", lost: "lost" }
      yield* notifications({ listen }, "channel", { ...heard, longestPause: "5 seconds" }).pipe(
        Stream.runForEach((signal) => Effect.sync(() => signals.push(signal))),
        Effect.provideService(References.MinimumLogLevel, "All"),
        Effect.provide(logger),
        Effect.forkScoped
      )
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(attempts, [0, 500, 1500, 3500, 7500, 12_500, 17_500])
      assert.deepStrictEqual(signals, ["lost"])
      assert.lengthOf(log, 1)
    })
  )

  it.effect("retries soon again after each successful connection", () =>
    Effect.gen(function* () {
      let attempts = 0
      const listen = () =>
        Effect.suspend(() =>
          ++attempts % 4 === 0 ? Queue.unbounded<never, SqlError.SqlError>() : refused
        ).pipe(
          Effect.tap((queue) =>
            Effect.forkScoped(Effect.delay(Queue.fail(queue, refused), Duration.minutes(1)))
          )
        )
      const signals: Array<string> = []
      const heard = { heard: () => "heard", connected: "connected", lost: "lost" }
      yield* notifications({ listen }, "channel", { ...heard, longestPause: "5 seconds" }).pipe(
        Stream.runForEach((signal) =>
          Effect.map(Clock.currentTimeMillis, (now) => signals.push(`${signal} at ${now}`))
        ),
        Effect.forkScoped
      )
      yield* TestClock.adjust("75 seconds")
      assert.deepStrictEqual(signals, [
        "lost at 0",
        "connected at 3500",
        "lost at 63500",
        "connected at 71000"
      ])
    })
  )
})
