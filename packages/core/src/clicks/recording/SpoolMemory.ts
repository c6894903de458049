import { Clock, Effect, Layer, Stream } from "effect"
import { Spool, type SpoolBatch, SpoolError, type SpooledClick } from "./Spool.ts"

interface Segment {
  readonly name: string
  readonly clicks: ReadonlyArray<SpooledClick>
  readonly spooledAt: number
}

const batchesOf = ({ clicks, name }: Segment, batchSize: number): ReadonlyArray<SpoolBatch> =>
  Array.from({ length: Math.ceil(clicks.length / batchSize) }, (_, index) => ({
    clicks: clicks.slice(index * batchSize, (index + 1) * batchSize),
    segment: name,
    isLast: (index + 1) * batchSize >= clicks.length
  }))

const make = (maxDepth: number) => {
  const segments = new Map<string, Segment>()
  let made = 0
  const depth = () => segments.values().reduce((sum, { clicks }) => sum + clicks.length, 0)
  return Spool.of({
    append: Effect.fnUntraced(function* (clicks) {
      if (depth() + clicks.length > maxDepth) {
        return yield* new SpoolError({
          operation: "append",
          reason: "Full",
          cause: `${maxDepth} clicks wait`
        })
      }
      const name = String(++made)
      if (clicks.length > 0) segments.set(name, { name, clicks, spooledAt: yield* Clock.currentTimeMillis })
    }),
    waiting: (batchSize) =>
      Stream.suspend(() =>
        Stream.fromIterable([...segments.values()].flatMap((segment) => batchesOf(segment, batchSize)))
      ),
    discard: (segment) => Effect.sync(() => void segments.delete(segment)),
    status: Effect.sync(() => {
      const [first] = segments.values()
      return {
        depth: depth(),
        bytes: 0,
        max_bytes: 0,
        oldest: first === undefined ? null : new Date(first.spooledAt),
        set_aside: 0,
        disk_full: false
      }
    })
  })
}

/** A spool in memory, for tests. It does not survive the process, so a service must not acknowledge clicks with it. */
export const layer = (maxDepth = Number.POSITIVE_INFINITY): Layer.Layer<Spool> =>
  Layer.sync(Spool, () => make(maxDepth))
