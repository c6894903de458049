import { Context, Data, Effect, Layer, Metric, Option, type Scope, type Stream } from "effect"
import { type InvalidInput, invalid } from "../../values/InvalidInput.ts"
import { type ArrivalPosition, ClickArrivals } from "../ClickArrivals.ts"
import type { ClickFilter } from "../ClickFilter.ts"
import type { ClickStoreError } from "../ClickStore.ts"
import type { FeedFormat } from "./ClickLog.ts"
import { follow } from "./LogFollower.ts"
import { read } from "./readFeed.ts"

/** The maximum number of readers is reached. */
export class FeedFull extends Data.TaggedError("FeedFull")<{ readonly maxReaders: number }> {}

export interface ClickFeedOptions {
  readonly format: FeedFormat
  /** The maximum number of readers. */
  readonly maxReaders: number
  /**
   * The maximum size in bytes of the newest log, and of all others together. The default holds 23,000 ordinary clicks: at 2,000 clicks a
   * second, a reader can be disconnected for 11 seconds and still continue in the newest log.
   */
  readonly logBytes?: number
}

const defaultLogBytes = 32 * 1024 * 1024

/** The endless stream of a reader's clicks, and the position before them. */
export interface Feed {
  readonly start: ArrivalPosition
  readonly pieces: Stream.Stream<Uint8Array>
}

/**
 * New clicks for any number of readers of a process, each with its filter and its pace.
 *
 *     store ── one follower ──▶ ClickLog, the newest clicks encoded once ──▶ readers that keep up: no copy, no query
 *       └────── pages of 500 ───▶ PastLogs, for readers that are behind ──────▶ each page is read once for those near it
 *
 * A reader has no queue, only its place in a log. If it falls behind the newest log, it reads earlier ones until it catches up.
 */
export class ClickFeed extends Context.Service<
  ClickFeed,
  {
    /**
     * The matching clicks stored after a position that a reader has kept, or from now on, each exactly once. Fails if the store is
     * unavailable at the start or the position belongs to another store. If the store becomes unavailable later, readers wait.
     */
    readonly open: (
      filter: ClickFilter,
      after: string | undefined
    ) => Effect.Effect<Feed, ClickStoreError | FeedFull | InvalidInput, Scope.Scope>
  }
>()("@clicks/core/clicks/feed/ClickFeed") {}

const readers = Metric.gauge("clicks_stream_readers", {
  description: "Clients that follow new clicks over HTTP"
})

const notOurs = Effect.fromResult(
  invalid("Last-Event-ID (or after) must be the id of an event of this stream, from this database")
)

const make = Effect.fnUntraced(function* ({
  format,
  logBytes = defaultLogBytes,
  maxReaders
}: ClickFeedOptions) {
  const arrivals = yield* ClickArrivals
  const { positions } = arrivals
  const follower = yield* follow(format, logBytes)
  let open = 0
  const change = (by: number) =>
    Effect.suspend(() => {
      open += by
      follower.readers = open
      return Metric.update(readers, open)
    })

  const enter = Effect.suspend(() =>
    open >= maxReaders ? Effect.fail(new FeedFull({ maxReaders })) : change(1)
  )

  const startOf = Effect.fnUntraced(function* (after: string | undefined) {
    const now = yield* arrivals.now
    if (after === undefined) return now
    const position = Option.getOrUndefined(positions.parse(after))
    const isOurs = position !== undefined && positions.precedes(position, now)
    return isOurs ? position : yield* notOurs
  })

  return ClickFeed.of({
    open: Effect.fn("ClickFeed.open")(function* (filter, after) {
      yield* Effect.acquireRelease(enter, () => change(-1))
      const start = yield* startOf(after)
      yield* follower.start
      return { start, pieces: read({ follower, format, positions }, filter, start) }
    })
  })
})

/** A feed that queries the store only while it has readers, and for a minute after the last one. */
export const layer = (options: ClickFeedOptions): Layer.Layer<ClickFeed, never, ClickArrivals> =>
  Layer.effect(ClickFeed, make(options))
