import type { FeedFormat } from "@clicks/core/clicks/feed/ClickLog"
import { Effect, Queue, type Scope, Stream } from "effect"
import type { ClickFilter } from "../../../src/clicks/ClickFilter.ts"
import type { ClickFeed } from "../../../src/clicks/feed/ClickFeed.ts"

const encoder = new TextEncoder()

/** Lines of text: `=position` before `+id` of each click, and `.position` as a heartbeat. */
export const format: FeedFormat = {
  position: (position) => encoder.encode(`=${position}\n`),
  click: ({ id }) => encoder.encode(`+${id}\n`),
  heartbeat: (position) => encoder.encode(`.${position}\n`)
}

interface Event {
  readonly position: string
  /** Undefined for a heartbeat. */
  readonly id: string | undefined
}

const eventsOf = (text: string): ReadonlyArray<Event> => {
  let position = ""
  return text
    .split("\n")
    .slice(0, -1)
    .flatMap((line): ReadonlyArray<Event> => {
      const rest = line.slice(1)
      if (line.startsWith("+")) return [{ position, id: rest }]
      position = rest
      return line.startsWith(".") ? [{ position, id: undefined }] : []
    })
}

/** Reads a feed in the background, until the scope closes. */
export const readEvents = Effect.fnUntraced(function* (
  feed: ClickFeed["Service"],
  filter: ClickFilter,
  after?: string
): Effect.fn.Return<{ readonly start: string; readonly events: Queue.Queue<Event> }, unknown, Scope.Scope> {
  const { pieces, start } = yield* feed.open(filter, after)
  const events = yield* Queue.unbounded<Event>()
  yield* pieces.pipe(
    // Pieces end at the end of a line, but a position and its click may be in two pieces.
    Stream.mapArray((found) => [Buffer.concat(found).toString()] as const),
    Stream.runForEach((text) => Queue.offerAll(events, eventsOf(text))),
    Effect.forkScoped({ startImmediately: true })
  )
  return { start, events }
})
