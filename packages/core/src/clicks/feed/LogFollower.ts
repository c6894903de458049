import { Deferred, Duration, Effect, Schedule, Semaphore } from "effect"
import { monotonicMillis } from "../../values/monotonicMillis.ts"
import { type ArrivalPosition, ClickArrivals } from "../ClickArrivals.ts"
import type { ClickStoreError } from "../ClickStore.ts"
import { ClickLog, type EncodedPage, encodePage, type FeedFormat } from "./ClickLog.ts"

/** Clicks read at once. */
const pageSize = 1000

/** Between two queries, so that clicks come in pages and not one by one: each page is a write to each reader. */
const pause = Duration.millis(250)

/** How long the log is kept without readers: they reconnect. */
const lingerMillis = 60_000

const retries = Schedule.exponential("100 millis").pipe(
  Schedule.modifyDelay(({ duration }) => Effect.succeed(Duration.min(duration, Duration.seconds(2))))
)

/** Waits for a store that is unavailable. What fails otherwise is logged, and tried again, too. */
export const patiently = <A, R>(query: Effect.Effect<A, ClickStoreError, R>): Effect.Effect<A, never, R> =>
  query.pipe(
    Effect.tapError((error) =>
      error.isRetryable ? Effect.void : Effect.logError("Following clicks failed", error)
    ),
    Effect.retry(retries),
    Effect.orDie
  )

/** Keeps the log up with the store while there are readers. */
export interface LogFollower {
  readers: number
  /** The log; undefined before `start`. */
  readonly log: () => ClickLog | undefined
  /** Makes sure that there is a log. */
  readonly start: Effect.Effect<void, ClickStoreError>
  /** Waits until the log has the page of this number. */
  readonly grown: (page: number) => Effect.Effect<void>
  /** Extends the log back to the position, unless it is too far. Readers that come back after a restart do not each read the same then. */
  readonly reachBack: (position: ArrivalPosition) => Effect.Effect<void>
}

export const follow = Effect.fnUntraced(function* (format: FeedFormat, capacity: number) {
  const arrivals = yield* ClickArrivals
  const { positions } = arrivals
  const scope = yield* Effect.scope
  const turn = yield* Semaphore.make(1)
  let log: ClickLog | undefined
  let grown = Deferred.makeUnsafe<void>()
  /** The latest position that was too far back. */
  let unreachable: ArrivalPosition | undefined

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
    log = undefined
  })

  const start = Effect.gen(function* () {
    if (log !== undefined) return
    log = new ClickLog(yield* arrivals.now, capacity, positions)
    unreachable = undefined
    yield* Effect.forkIn(followNow(log), scope)
  })

  /** The pages before the log, from the position on; undefined when they do not fit in. */
  const readBefore = Effect.fnUntraced(function* (current: ClickLog, from: ArrivalPosition) {
    const pages: Array<EncodedPage> = []
    let { room } = current
    for (let at = from; room > 0; ) {
      const found = yield* patiently(arrivals.since(at, {}, pageSize, current.start))
      const page = encodePage(at, found, format)
      pages.push(page)
      room -= page.size
      if (positions.precedes(current.start, found.position)) return room >= 0 ? pages : undefined
      at = found.position
    }
    return undefined
  })

  const extend = Effect.fnUntraced(function* (current: ClickLog, position: ArrivalPosition) {
    const moment = positions.momentBefore(position)
    const isTooFar = unreachable !== undefined && positions.precedes(moment, unreachable)
    // A page that begins within a moment is no end for a query.
    const isMoment = positions.momentBefore(current.start) === current.start
    if (isTooFar || !isMoment || current.find(position) !== undefined) return
    const before = current.start
    const pages = yield* readBefore(current, moment)
    if (pages === undefined) unreachable = moment
    else if (current.start === before) current.prepend(pages)
  })

  const follower: LogFollower = {
    readers: 0,
    log: () => log,
    start: turn.withPermit(start),
    grown: (page) =>
      Effect.suspend(() => (log === undefined || log.next > page ? Effect.void : Deferred.await(grown))),
    reachBack: (position) =>
      turn.withPermit(Effect.suspend(() => (log === undefined ? Effect.void : extend(log, position))))
  }
  return follower
})
