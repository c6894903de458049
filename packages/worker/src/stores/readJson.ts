import { withoutSecrets } from "@clicks/core/stores/HttpUrl"
import { Effect, Stream } from "effect"
import type { HttpClientResponse } from "effect/http"
import { FetchFailure } from "./FetchFailure.ts"
import { unreachable } from "./WebClient.ts"

type Response = HttpClientResponse.HttpClientResponse

const refuse = (url: URL, what: string) =>
  new FetchFailure({ message: `${withoutSecrets(url.href)} ${what}`, retryable: false })

const tooLarge = (url: URL, maxBytes: number) =>
  refuse(url, `answers with more than ${Math.floor(maxBytes / 2 ** 20)} MiB`)

// Many shops serve JSON files without saying so; HTML is what login pages, maintenance pages and wrong addresses answer.
const checkHeaders = Effect.fnUntraced(function* (response: Response, url: URL, maxBytes: number) {
  const type = response.headers["content-type"] ?? ""
  const encoding = response.headers["content-encoding"] ?? "identity"
  if (/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type)) {
    return yield* refuse(url, "answers with HTML, not with JSON")
  }
  if (encoding.toLowerCase() !== "identity") {
    return yield* refuse(url, "answers compressed, though it was asked not to")
  }
  if (Number(response.headers["content-length"] ?? 0) > maxBytes) return yield* tooLarge(url, maxBytes)
})

const readBytes = Effect.fnUntraced(function* (response: Response, url: URL, maxBytes: number) {
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
  return Buffer.concat(chunks, size)
})

/** The answer's body as a JSON value. Not more than `maxBytes` of it are read. */
export const readJson = Effect.fnUntraced(function* (response: Response, url: URL, maxBytes: number) {
  yield* checkHeaders(response, url, maxBytes)
  const bytes = yield* readBytes(response, url, maxBytes)
  return yield* Effect.try({
    try: (): unknown => JSON.parse(new TextDecoder().decode(bytes)),
    catch: () => refuse(url, "did not return JSON")
  })
})
