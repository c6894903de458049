import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { Effect, Pull, Stream } from "effect"

// What a socket takes at once. Larger texts would block other requests for longer, and hold more for a slow reader.
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

/** Writes clicks as texts of about 64 KiB, one at a time as the reader takes them. */
export const clickTexts = <E, R>(
  clicks: Stream.Stream<ClickEvent, E, R>,
  write: (click: ClickEvent) => string
): Stream.Stream<string, E, R> =>
  Stream.flatMap(Stream.chunks(clicks), (chunk) =>
    Stream.fromIterable(joined(chunk, write), { chunkSize: 1 })
  )

/** The next text, or none at the end. What fails before an answer has begun can still be answered. */
export const nextOf = <E, R>(
  pull: Pull.Pull<ReadonlyArray<string>, E, void, R>
): Effect.Effect<string, E, R> =>
  Pull.catchDone(
    Effect.map(pull, (texts) => texts.join("")),
    () => Effect.succeed("")
  )

/** The body of an answer that has begun; a failure after that is logged and breaks the connection. */
export const textBody = <E, R>(texts: Stream.Stream<string, E, R>, failure: string) =>
  Stream.encodeText(texts).pipe(
    Stream.tapError((error) => Effect.logError(`${failure}: the stream broke off`, error))
  )
