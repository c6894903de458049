import * as ClickQuery from "@clicks/core/clicks/ClickQuery"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import type { ClickQueryParameters } from "@clicks/core/values/QueryParameters"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { BadRequest } from "../responses/errors.ts"
import { orInternalFailure } from "../responses/orInternalFailure.ts"
import * as ClickJson from "./ClickJson.ts"
import { clickTexts, nextOf, textBody } from "./clickTexts.ts"
import { noticeEmptyFilter } from "./filterNotices.ts"
import { orBusy } from "./orBusy.ts"

const failure = "Failed to fetch product click events"

const afterComma = () => {
  let separator = ""
  return (click: Parameters<typeof ClickJson.text>[0]): string => {
    const text = separator + ClickJson.text(click)
    separator = ","
    return text
  }
}

const answer = Effect.fnUntraced(function* (query: ClickQuery.ClickQuery) {
  const clicks = yield* ClickStore
  const { events, ...page } = yield* clicks.streamPage(query)
  const start = '{"events":['
  const end = `],${JSON.stringify(page).slice(1)}`
  const texts = yield* Stream.toPull(clickTexts(events, afterComma()))
  const first = yield* nextOf(texts)
  const second = yield* nextOf(texts)
  const headers = { contentType: "application/json" }
  if (second === "") return HttpServerResponse.text(start + first + end, headers)
  const body = Stream.make(start + first + second).pipe(
    Stream.concat(Stream.fromPull(Effect.succeed(texts))),
    Stream.concat(Stream.make(end))
  )
  return HttpServerResponse.stream(textBody(body, failure), headers)
})

/**
 * GET /api/events/product-clicks: section 4.2 of the specification. A page of more than two texts is written as its reader takes
 * it; one that breaks off ends its connection.
 */
export const listClicks = Effect.fn("listClicks")(function* (parameters: ClickQueryParameters) {
  const query = yield* Effect.fromResult(ClickQuery.parse(parameters)).pipe(
    Effect.mapError(({ message }) => new BadRequest({ error: message }))
  )
  yield* noticeEmptyFilter(query.filter)
  return yield* answer(query).pipe(orBusy, orInternalFailure(failure))
})
