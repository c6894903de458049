import { SenderKeys } from "@clicks/core/access/SenderKeys"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { parseFilter } from "@clicks/core/clicks/ClickQuery"
import * as ClickFeed from "@clicks/core/clicks/feed/ClickFeed"
import type { FeedFormat } from "@clicks/core/clicks/feed/ClickLog"
import { Effect, Layer, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { IsStillAdmitted } from "../access/accessControl.ts"
import { Logins } from "../access/Logins.ts"
import { apiOf } from "../openapi/declaration.ts"
import { tryLater } from "../responses/apiResponse.ts"
import { badRequest, orBadRequest } from "../responses/expectedErrors.ts"
import { Stopping } from "../server/Stopping.ts"
import * as ClickJson from "./ClickJson.ts"
import { noticeEmptyFilter } from "./filterNotices.ts"
import { StreamApi } from "./StreamApi.ts"

// Clients reconnect after 2 seconds. An id alone is not an event, but clients send it as `Last-Event-ID` if they receive no other.
const firstLines = (position: string): Uint8Array => Buffer.from(`retry: 2000\nid: ${position}\n\n`)

const clickEvents: FeedFormat = {
  position: (position) => Buffer.from(`id: ${position}\n`),
  click: (click) => Buffer.from(`event: click\ndata: ${ClickJson.text(click)}\n\n`),
  heartbeat: (position) => Buffer.from(`: heartbeat\nid: ${position}\n\n`)
}

const full = ({ maxReaders }: ClickFeed.FeedFull) =>
  Effect.succeed(tryLater(`Too many streams: the limit is ${maxReaders}. Try again in 10 seconds`))

const unavailable = Effect.succeed(tryLater("The database is unavailable. Try again in 10 seconds"))

// Tokens expire, addresses lose their trust, users log out through other processes, and the signal of a revocation may be missed.
const checkInterval = "15 seconds"

/** Waits until the request would no longer be admitted. Checks at intervals, and whenever a key is revoked or a user logs out. */
const whenDismissed = Effect.gen(function* () {
  const isStillAdmitted = yield* IsStillAdmitted
  const { signals } = yield* SenderKeys
  const { ended } = yield* Logins
  const revoked = Stream.filter(signals, ({ _tag }) => _tag !== "Deaf")
  return Stream.mergeAll([Stream.tick(checkInterval), revoked, ended], { concurrency: "unbounded" }).pipe(
    Stream.mapEffect(() => isStillAdmitted),
    Stream.takeWhile((is) => is),
    Stream.runDrain
  )
})

const streamClicks = Effect.fnUntraced(function* (
  feed: ClickFeed.ClickFeed["Service"],
  filter: ClickFilter,
  after: string | undefined
) {
  yield* noticeEmptyFilter(filter)
  const dismissed = yield* whenDismissed
  const stopping = yield* Stopping
  const { pieces, start } = yield* feed.open(filter, after)
  const body = Stream.make(firstLines(start)).pipe(
    Stream.concat(pieces),
    Stream.interruptWhen(Effect.raceFirst(stopping, dismissed))
  )
  return HttpServerResponse.stream(body, {
    contentType: "text/event-stream",
    // Otherwise, nginx would buffer the events.
    headers: { "x-accel-buffering": "no" }
  })
})

const handlers = HttpApiBuilder.group(
  apiOf(StreamApi),
  "streaming",
  Effect.fnUntraced(function* (handlers) {
    const feed = yield* ClickFeed.ClickFeed
    return handlers.handle("stream", ({ query: { after, ...query }, request }) =>
      orBadRequest(parseFilter(query)).pipe(
        Effect.flatMap((filter) =>
          streamClicks(feed, filter, request.headers["last-event-id"] || after || undefined)
        ),
        Effect.catchTags({
          InvalidInput: badRequest,
          FeedFull: full,
          ClickStoreError: (error) => (error.isRetryable ? unavailable : Effect.die(error))
        })
      )
    )
  })
)

export interface StreamOptions {
  /** The maximum number of open connections. Streams may take three quarters of them, so that clicks can still connect. */
  readonly maxConnections: number
}

/** Handles the endpoints of `StreamApi`. */
export const layer = ({ maxConnections }: StreamOptions) =>
  handlers.pipe(
    Layer.provide(
      ClickFeed.layer({ format: clickEvents, maxReaders: Math.max(1, Math.floor((maxConnections * 3) / 4)) })
    )
  )
