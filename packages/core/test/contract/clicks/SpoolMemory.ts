import { Spool, SpoolError, type SpooledClick } from "@clicks/core/clicks/recording/Spool"
import { Clock, Effect, Layer, Option, Stream } from "effect"

interface Segment {
  readonly clicks: ReadonlyArray<SpooledClick>
  readonly spooledAt: number
}

const make = (maxDepth: number) => {
  const segments = new Map<string, Segment>()
  let made = 0
  const depth = () => Array.from(segments.values()).reduce((sum, { clicks }) => sum + clicks.length, 0)
  return Spool.of({
    append: Effect.fnUntraced(function* (clicks) {
      if (depth() + clicks.length > maxDepth) {
        return yield* new SpoolError({
          operation: "append",
          reason: "Full",
          cause: `${maxDepth} clicks wait`
        })
      }
      const spooledAt = yield* Clock.currentTimeMillis
      if (clicks.length > 0) segments.set(String(++made), { clicks, spooledAt })
    }),
    waiting: (batchSize) =>
      Stream.suspend(() => Stream.fromIterable([...segments])).pipe(
        Stream.flatMap(([segment, { clicks }]) =>
          Stream.range(0, Math.ceil(clicks.length / batchSize) - 1).pipe(
            Stream.map((batch) => {
              const end = (batch + 1) * batchSize
              return { clicks: clicks.slice(batch * batchSize, end), segment, isLast: end >= clicks.length }
            })
          )
        )
      ),
    discard: (segment) => Effect.sync(() => void segments.delete(segment)),
    find: (id) =>
      Effect.sync(() => {
        const all = [...segments.values()].flatMap(({ clicks }) => clicks)
        return Option.fromUndefinedOr(all.find(({ event }) => event.id === id))
      }),
    status: Effect.sync(() => {
      const [first] = segments.values()
      const oldest = first === undefined ? null : new Date(first.spooledAt)
      return { depth: depth(), bytes: 0, max_bytes: 0, oldest, set_aside: 0, disk_full: false }
    })
  })
}

/** A spool in memory, for tests. It does not survive the process, so a service must not acknowledge clicks with it. */
export const layer = (maxDepth = Number.POSITIVE_INFINITY): Layer.Layer<Spool> =>
  Layer.sync(Spool, () => make(maxDepth))
