import { Effect, Semaphore } from "effect"
import type { ArrivalPosition, ClickArrivals } from "../ClickArrivals.ts"
import { ClickLog, encodePage, type FeedFormat } from "./ClickLog.ts"
import { patiently } from "./patiently.ts"

/** The number of clicks read at once. Each reader may hold another page until it is disconnected. */
const pageSize = 500

// After a restart, readers that reconnect at once need two or three.
const mostLogs = 4

/**
 * Logs for readers that are behind the newest log. A page is read once for all readers near it. A log begins where a reader needs it, grows
 * while readers follow it, and ends where another log continues.
 */
export interface PastLogs {
  /** A log that has the clicks after the position or will read them. */
  readonly enter: (position: ArrivalPosition) => Effect.Effect<ClickLog>
  /** Reads the next page of a log, the one with this number, unless it has been read or the log has ended. */
  readonly grow: (log: ClickLog, page: number) => Effect.Effect<void>
}

interface Growth {
  /** Lets one reader at a time add a page. */
  readonly turn: Semaphore.Semaphore
  isOver: boolean
}

/** The logs share `capacity` bytes: readers of one log may be about 6,000 ordinary clicks apart. */
export const pastLogs = (
  { positions, since }: ClickArrivals["Service"],
  format: FeedFormat,
  newest: ClickLog,
  capacity: number
): PastLogs => {
  const { momentBefore, pageStart, precedes } = positions
  // Readers that are behind must not use up the connections to the database.
  const queries = Semaphore.makeUnsafe(2)
  const logs = new Map<ClickLog, Growth>()

  const find = (position: ArrivalPosition): ClickLog | undefined =>
    Array.from(logs.keys()).find((log) => log.page(log.find(position) ?? log.next) !== undefined)

  // Up to the start of the newest log, if a query can end there: readers then continue with a whole page of it.
  const readPage = Effect.fnUntraced(function* (log: ClickLog) {
    const { end } = log
    const { start } = newest
    const until = momentBefore(start) === start && precedes(end, start) ? start : undefined
    const found = yield* queries.withPermit(patiently(since(end, {}, pageSize, until)))
    log.append(encodePage(end, found, format))
  })

  const isOver = (log: ClickLog): boolean => {
    const other = find(log.end)
    return newest.find(log.end) !== undefined || (other !== undefined && precedes(log.end, other.end))
  }

  const grow = (log: ClickLog, growth: Growth, page: number) =>
    Effect.suspend(() => {
      if (log.next > page || !logs.has(log)) return Effect.void
      growth.isOver = isOver(log)
      return growth.isOver ? Effect.void : readPage(log)
    })

  const begin = Effect.fnUntraced(function* (position: ArrivalPosition) {
    const log = new ClickLog(pageStart(position), capacity / mostLogs, positions)
    const turn = Semaphore.makeUnsafe(1)
    logs.set(log, { turn, isOver: false })
    // Even if the log is dropped meanwhile, its reader gets a page.
    yield* turn.withPermit(readPage(log))
    return log
  })

  const drop = (log: ClickLog): void => {
    logs.delete(log)
    log.clear()
  }

  /**
   * Drops a log so that another can begin: one that has ended, or the one furthest ahead. A reader with a log behind it waits until that
   * log reaches it: if logs displaced each other, each reader would end up reading alone.
   */
  const makeRoom = (position: ArrivalPosition): ClickLog | undefined => {
    const [first, ...rest] = logs.keys()
    if (first === undefined || logs.size < mostLogs) return undefined
    const over = Array.from(logs).find(([, growth]) => growth.isOver)?.[0]
    const behind = over === undefined ? [first, ...rest].filter(({ end }) => precedes(end, position)) : []
    const ahead = over ?? rest.reduce((a, b) => (precedes(a.start, b.start) ? b : a), first)
    if (behind.length === 0) drop(ahead)
    return behind.reduce<ClickLog | undefined>((a, b) => (a && precedes(b.end, a.end) ? a : b), undefined)
  }

  return {
    enter: Effect.fnUntraced(function* (position) {
      // Logs that have just begun may contain these clicks; this is known after their first page. Also waits for logs that begin meanwhile.
      for (const [log, { turn }] of logs) {
        if (log.next === 0 && log.find(position) !== undefined) yield* turn.withPermit(Effect.void)
      }
      return find(position) ?? makeRoom(position) ?? (yield* begin(position))
    }),
    grow: (log, page) =>
      Effect.suspend(() => {
        const growth = logs.get(log)
        return growth === undefined ? Effect.void : growth.turn.withPermit(grow(log, growth, page))
      })
  }
}
