import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import type { ClickStoreError } from "@clicks/core/clicks/ClickStore"
import { Effect, Pull, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { noHistory, tryLater } from "../responses/apiResponse.ts"

type Texts = Stream.Stream<string, ClickStoreError>

// What a socket accepts at once. Larger texts would block other requests for longer and hold more memory for a slow reader.
const pieceLength = 64 * 1024

function* joined(clicks: ReadonlyArray<ClickEvent>, write: (click: ClickEvent) => string) {
  let text = ""
  for (const click of clicks) {
    text += write(click)
    if (text.length < pieceLength) continue
    yield text
    text = ""
  }
  if (text !== "") yield text
}

/** Writes clicks as texts of about 64 KiB. The next text is written when the reader requests it. */
export const clickTexts = (
  clicks: Stream.Stream<ClickEvent, ClickStoreError>,
  write: (click: ClickEvent) => string
): Texts =>
  Stream.flatMap(Stream.chunks(clicks), (chunk) =>
    Stream.fromIterable(joined(chunk, write), { chunkSize: 1 })
  )

const busy = "Too many exports or large listings are in progress. Try again in 10 seconds"

/** Responds with 503 if the store has too many readers or its archive is unavailable. */
export const orUnavailable = (error: ClickStoreError) => {
  if (error.reason === "Busy") return Effect.succeed(tryLater(busy))
  return error.reason === "HistoryUnavailable" ? Effect.succeed(noHistory) : Effect.die(error)
}

export interface TextOptions {
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
  readonly before: string
  readonly after: string
  /** Logged if the stream breaks off. */
  readonly failure: string
}

/**
 * Responds with the texts, between `before` and `after`. About 64 KiB are read before the response begins, so that an unavailable store
 * causes a 500 and not a broken download. The rest is read at the client's pace. A later failure is logged and closes the connection.
 */
export const textResponse = Effect.fnUntraced(function* (
  texts: Texts,
  { after, before, failure, ...options }: TextOptions
) {
  const pull = yield* Stream.toPull(texts)
  const next = Pull.catchDone(
    Effect.map(pull, (texts) => texts.join("")),
    () => Effect.succeed(undefined)
  )
  let start = before
  while (start.length < pieceLength) {
    const text = yield* next
    if (text === undefined) return HttpServerResponse.text(start + after, options)
    start += text
  }
  const body = Stream.make(start).pipe(
    Stream.concat(Stream.fromPull(Effect.succeed(pull))),
    Stream.concat(Stream.make(after)),
    Stream.encodeText,
    Stream.tapError((error) => Effect.logError(`${failure}: the stream broke off`, error))
  )
  return HttpServerResponse.stream(body, options)
})
