import { Duration, Effect, Option, Stream } from "effect"
import { monotonicMillis } from "../../values/monotonicMillis.ts"
import type { ArrivalPosition, ArrivalPositions } from "../ClickArrivals.ts"
import type { ClickFilter } from "../ClickFilter.ts"
import { type ClickLog, type EncodedPage, type FeedFormat, select, selectAfter } from "./ClickLog.ts"
import type { FeedLogs, LogFollower } from "./LogFollower.ts"

const heartbeatMillis = 15_000

// What a socket accepts at once, and the memory held for a reader that does not read. A reader without a filter gets whole pages, which are
// not copied.
const pieceLength = 64 * 1024

export interface FeedSource {
  readonly positions: ArrivalPositions
  readonly follower: LogFollower
  readonly format: FeedFormat
}

/** The place of a reader in a log. */
interface Place {
  readonly log: ClickLog
  readonly page: number
  /** The click of the page to continue with. */
  readonly click: number
  /** Whether the reader has passed what precedes it in the log, and nothing else. */
  readonly isAligned: boolean
}

interface Reader {
  readonly position: ArrivalPosition
  /** Undefined while it is not in a log. */
  readonly place: Place | undefined
  /** When it was last sent something. */
  readonly sentAt: number
}

type Step = readonly [ReadonlyArray<Uint8Array>, Reader]

const nothing: ReadonlyArray<Uint8Array> = []

/** The stream of a reader: the clicks after `start`, and heartbeats. */
export const read = (
  { follower, format, positions }: FeedSource,
  filter: ClickFilter,
  start: ArrivalPosition
) => {
  const most = Object.keys(filter).length === 0 ? Number.POSITIVE_INFINITY : pieceLength

  const readPage = (page: EncodedPage, reader: Reader, place: Place): Step => {
    const isAligned = place.isAligned || positions.precedes(reader.position, page.start)
    const { next, pieces, position } = isAligned
      ? { ...select(page, place.click, most, filter), position: undefined }
      : selectAfter(page, reader.position, filter, positions, format)
    if (next < page.clicks.length) {
      const passed = page.clicks[next - 1]?.position ?? reader.position
      return [pieces, { ...reader, position: passed, place: { ...place, click: next, isAligned } }]
    }
    const isAtEnd = position === undefined || positions.precedes(position, page.end)
    const after = { ...place, page: place.page + 1, click: 0, isAligned: isAtEnd }
    return [pieces, { ...reader, position: isAtEnd ? page.end : position, place: after }]
  }

  /** A reader at the end of a log takes its position, unless it is already further. */
  const atEnd = (reader: Reader, place: Place): Reader => {
    const isAligned = place.isAligned || positions.precedes(reader.position, place.log.end)
    return {
      ...reader,
      position: isAligned ? place.log.end : reader.position,
      place: { ...place, isAligned }
    }
  }

  const wait = Effect.fnUntraced(function* (reader: Reader, page: number) {
    const left = reader.sentAt + heartbeatMillis - (yield* monotonicMillis)
    if (left > 0) yield* Effect.timeoutOption(follower.grown(page), Duration.millis(left))
    return [nothing, reader] as Step
  })

  /** Continues after a position that the reader has passed. */
  const enter = Effect.fnUntraced(function* (
    { newest, past }: FeedLogs,
    reader: Reader,
    position: ArrivalPosition
  ) {
    const log = newest.find(position) === undefined ? yield* past.enter(position) : newest
    const page = log.find(position)
    if (page === undefined) return [nothing, { ...reader, place: undefined }] as Step
    const place = { log, page, click: 0, isAligned: false }
    const found = log.page(page)
    return found === undefined ? ([nothing, { ...reader, place }] as Step) : readPage(found, reader, place)
  })

  const readPast = Effect.fnUntraced(function* (logs: FeedLogs, reader: Reader, place: Place) {
    const { log, page } = place
    yield* logs.past.grow(log, page)
    if (log.page(page) !== undefined) return [nothing, reader] as Step
    // If not, another reader has read the page, and a third one has dropped the log since.
    const isAtEnd = log.next === page
    return isAtEnd
      ? yield* enter(logs, atEnd(reader, place), log.end)
      : ([nothing, { ...reader, place: undefined }] as Step)
  })

  const step = Effect.fnUntraced(function* (reader: Reader) {
    const logs = follower.logs()
    // The logs are dropped only after the last reader has left.
    if (logs === undefined) return yield* Effect.die(new Error("There is no log for a reader"))
    const { place } = reader
    if (place === undefined) return yield* enter(logs, reader, reader.position)
    const { log } = place
    const page = log.page(place.page)
    if (page !== undefined) return readPage(page, reader, place)
    if (!log.has(place.page)) return [nothing, { ...reader, place: undefined }] as Step
    return log === logs.newest
      ? yield* wait(atEnd(reader, place), place.page)
      : yield* readPast(logs, reader, place)
  })

  /** Sends the position to a reader that has received nothing for a while. */
  const beating = Effect.fnUntraced(function* ([pieces, reader]: Step) {
    const now = yield* monotonicMillis
    const isDue = pieces.length === 0 && now - reader.sentAt >= heartbeatMillis
    const sent = isDue ? [format.heartbeat(reader.position)] : pieces
    return [sent, Option.some(sent.length === 0 ? reader : { ...reader, sentAt: now })] as const
  })

  return Stream.unwrap(
    Effect.map(monotonicMillis, (sentAt) =>
      Stream.paginate({ position: start, place: undefined, sentAt } as Reader, (reader) =>
        Effect.flatMap(step(reader), beating)
      )
    )
  )
}
