import { Effect, Stream } from "effect"
import type { HttpClientResponse } from "effect/http"
import { refuse } from "./FetchFailure.ts"
import { unreachable } from "./WebClient.ts"

type Response = HttpClientResponse.HttpClientResponse

const tooLarge = (url: URL, maxBytes: number) =>
  refuse(url, `answers with more than ${Math.floor(maxBytes / 2 ** 20)} MiB`)

// Many shops serve JSON files with another type. HTML comes from login and maintenance pages, and from wrong URLs.
const checkHeaders = Effect.fnUntraced(function* ({ headers }: Response, url: URL, maxBytes: number) {
  if (/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(headers["content-type"] ?? "")) {
    return yield* refuse(url, "answers with HTML, not with JSON")
  }
  if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity") {
    return yield* refuse(url, "answers compressed, though it was asked not to")
  }
  if (Number(headers["content-length"] ?? 0) > maxBytes) return yield* tooLarge(url, maxBytes)
})

/** The body as a JSON value. Reads no more than `maxBytes` of it. */
export const readJson = Effect.fnUntraced(function* (response: Response, url: URL, maxBytes: number) {
  yield* checkHeaders(response, url, maxBytes)
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* response.stream.pipe(
    Stream.mapError((error) => unreachable(url, error)),
    Stream.runForEachArray((arrived) => {
      for (const chunk of arrived) size += chunk.length
      if (size > maxBytes) return Effect.fail(tooLarge(url, maxBytes))
      chunks.push(...arrived)
      return Effect.void
    })
  )
  return yield* Effect.try({
    try: (): unknown => JSON.parse(new TextDecoder().decode(Buffer.concat(chunks, size))),
    catch: () => refuse(url, "did not return JSON")
  })
})
