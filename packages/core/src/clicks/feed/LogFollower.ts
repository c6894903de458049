import { Deferred, Duration, Effect, Semaphore } from "effect"
import { monotonicMillis } from "../../values/monotonicMillis.ts"
import { ClickArrivals } from "../ClickArrivals.ts"
import type { ClickStoreError } from "../ClickStore.ts"
import { ClickLog, encodePage, type FeedFormat } from "./ClickLog.ts"
import { type PastLogs, pastLogs } from "./PastLogs.ts"
import { patiently } from "./patiently.ts"

/** The number of clicks read at once. */
const pageSize = 1000

/** The pause between two queries, so that clicks come in pages and not one by one: each page causes a write to each reader. */
const pause = Duration.millis(250)

/** How long the log is kept without readers, so that they can reconnect. */
const lingerMillis = 60_000

export interface FeedLogs {
  readonly newest: ClickLog
  /** For readers that are behind the newest log. */
  readonly past: PastLogs
}

/** Keeps the newest log up to date while there are readers. */
export interface LogFollower {
  readers: number
  /** Undefined before `start`. */
  readonly logs: () => FeedLogs | undefined
  /** Creates the logs if there are none. */
  readonly start: Effect.Effect<void, ClickStoreError>
  /** Waits until the newest log has the page of this number. */
  readonly grown: (page: number) => Effect.Effect<void>
}

export const follow = Effect.fnUntraced(function* (format: FeedFormat, capacity: number) {
  const arrivals = yield* ClickArrivals
  const scope = yield* Effect.scope
  const turn = yield* Semaphore.make(1)
  let logs: FeedLogs | undefined
  let grown = Deferred.makeUnsafe<void>()

  const followNow = Effect.fnUntraced(function* (current: ClickLog) {
    let seen = yield* monotonicMillis
    while (true) {
      const page = yield* patiently(arrivals.since(current.end, {}, pageSize))
      const { next } = current
      current.append(encodePage(current.end, page, format))
      if (current.next > next) {
        const waiting = grown
        grown = Deferred.makeUnsafe()
        yield* Deferred.succeed(waiting, undefined)
      }
      const now = yield* monotonicMillis
      if (follower.readers > 0) seen = now
      if (now - seen > lingerMillis) break
      if (page.isAll) yield* Effect.sleep(pause)
    }
    logs = undefined
  })

  const start = Effect.gen(function* () {
    if (logs !== undefined) return
    const newest = new ClickLog(yield* arrivals.now, capacity, arrivals.positions)
    logs = { newest, past: pastLogs(arrivals, format, newest, capacity) }
    yield* Effect.forkIn(followNow(newest), scope)
  })

  const follower: LogFollower = {
    readers: 0,
    logs: () => logs,
    start: turn.withPermit(start),
    grown: (page) =>
      Effect.suspend(() =>
        logs === undefined || logs.newest.next > page ? Effect.void : Deferred.await(grown)
      )
  }
  return follower
})
