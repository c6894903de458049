import { Duration, Effect, Option, type Semaphore, Stream } from "effect"
import { monotonicMillis } from "../../values/monotonicMillis.ts"
import type { ArrivalPosition, ClickArrivals } from "../ClickArrivals.ts"
import type { ClickFilter } from "../ClickFilter.ts"
import { type ClickLog, encodePage, type FeedFormat, select, selectAfter } from "./ClickLog.ts"
import { type LogFollower, patiently } from "./LogFollower.ts"

const heartbeatMillis = 15_000

// What a socket takes at once, and what is held for a reader that does not read. A reader without a filter gets whole pages, of
// which nothing is copied.
const pieceLength = 64 * 1024

/** Clicks in a page that one reader reads for itself. It may be held until the reader is disconnected. */
const ownPageSize = 100

export interface FeedSource {
  readonly arrivals: ClickArrivals["Service"]
  readonly follower: LogFollower
  readonly format: FeedFormat
  /** The turns of readers that read pages of their own. */
  readonly turns: Semaphore.Semaphore
}

/** The place of a reader in the log. */
interface Place {
  readonly page: number
  /** The click of the page to continue with. */
  readonly click: number
  /** Whether the reader has passed what precedes it in the log, and nothing else. */
  readonly isAligned: boolean
}

interface Reader {
  readonly position: ArrivalPosition
  /** Undefined while it is not in the log. */
  readonly place: Place | undefined
  /** Whether it is known to be behind the log, too far for the log to be extended. */
  readonly isBehind: boolean
  /** When it was last sent something. */
  readonly sentAt: number
}

type Step = readonly [ReadonlyArray<Uint8Array>, Reader]

const nothing: ReadonlyArray<Uint8Array> = []

/** What a reader is sent: the clicks after `start`, and heartbeats. */
export const read = (source: FeedSource, filter: ClickFilter, start: ArrivalPosition) => {
  const { arrivals, follower, format, turns } = source
  const { positions } = arrivals
  const most = Object.keys(filter).length === 0 ? Number.POSITIVE_INFINITY : pieceLength

  const readOwnPage = (reader: Reader) =>
    patiently(turns.withPermit(arrivals.since(reader.position, filter, ownPageSize))).pipe(
      Effect.map((found): Step => {
        const { bytes } = encodePage(reader.position, found, format)
        return [
          bytes.length === 0 ? nothing : [bytes],
          { ...reader, position: found.position, isBehind: true }
        ]
      })
    )

  const enter = Effect.fnUntraced(function* (log: ClickLog, reader: Reader) {
    const { position } = reader
    if (!reader.isBehind && log.find(position) === undefined) yield* follower.reachBack(position)
    const page = log.find(position)
    if (page === undefined) return yield* readOwnPage(reader)
    return [nothing, { ...reader, isBehind: false, place: { page, click: 0, isAligned: false } }] as Step
  })

  const wait = Effect.fnUntraced(function* (log: ClickLog, reader: Reader, place: Place) {
    const isAligned = place.isAligned || positions.precedes(reader.position, log.end)
    const position = isAligned ? log.end : reader.position
    const now = yield* monotonicMillis
    const left = reader.sentAt + heartbeatMillis - now
    const waited = { ...reader, position, place: { ...place, isAligned } }
    if (left <= 0) return [[format.heartbeat(position)], { ...waited, sentAt: now }] as Step
    yield* Effect.timeoutOption(follower.grown(place.page), Duration.millis(left))
    return [nothing, waited] as Step
  })

  const readPage = (page: ReturnType<ClickLog["page"]> & {}, reader: Reader, place: Place): Step => {
    const isAligned = place.isAligned || positions.precedes(reader.position, page.start)
    const { next, pieces, position } = isAligned
      ? { ...select(page, place.click, most, filter), position: undefined }
      : selectAfter(page, reader.position, filter, positions, format)
    if (next < page.clicks.length) {
      const passed = page.clicks[next - 1]?.position ?? reader.position
      return [pieces, { ...reader, position: passed, place: { ...place, click: next, isAligned } }]
    }
    const isAtEnd = position === undefined || positions.precedes(position, page.end)
    const after = { page: place.page + 1, click: 0, isAligned: isAtEnd }
    return [pieces, { ...reader, position: isAtEnd ? page.end : position, place: after }]
  }

  const step = Effect.fnUntraced(function* (reader: Reader) {
    const log = follower.log()
    // It goes only after its last reader.
    if (log === undefined) return yield* Effect.die(new Error("There is no log for a reader"))
    const { place } = reader
    if (place === undefined) return yield* enter(log, reader)
    if (!log.has(place.page)) return [nothing, { ...reader, place: undefined }] as Step
    const page = log.page(place.page)
    return page === undefined ? yield* wait(log, reader, place) : readPage(page, reader, place)
  })

  const sent = ([pieces, reader]: Step) =>
    pieces.length === 0
      ? Effect.succeed(reader)
      : Effect.map(monotonicMillis, (sentAt) => ({ ...reader, sentAt }))

  return Stream.unwrap(
    Effect.map(monotonicMillis, (sentAt) =>
      Stream.paginate({ position: start, place: undefined, isBehind: false, sentAt } as Reader, (reader) =>
        step(reader).pipe(
          Effect.flatMap((found) => Effect.map(sent(found), (next) => [found[0], Option.some(next)] as const))
        )
      )
    )
  )
}
