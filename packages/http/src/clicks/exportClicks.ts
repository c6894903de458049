import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import * as ClickQuery from "@clicks/core/clicks/ClickQuery"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import type { ClickQueryParameters } from "@clicks/core/values/QueryParameters"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { BadRequest } from "../responses/errors.ts"
import { orInternalFailure } from "../responses/orInternalFailure.ts"
import * as ClickCsv from "./ClickCsv.ts"
import * as ClickJson from "./ClickJson.ts"
import { clickTexts, nextOf, textBody } from "./clickTexts.ts"
import { noticeEmptyFilter } from "./filterNotices.ts"
import { orBusy } from "./orBusy.ts"

interface Format {
  readonly contentType: string
  readonly fileName: string
  readonly header: string
  readonly row: (event: ClickEvent) => string
}

const formats: ReadonlyMap<string, Format> = new Map([
  [
    "ndjson",
    {
      contentType: "application/x-ndjson",
      fileName: "product-click-events.ndjson",
      header: "",
      row: (event) => `${ClickJson.text(event)}\n`
    }
  ],
  [
    "csv",
    {
      contentType: "text/csv; charset=utf-8",
      fileName: "product-click-events.csv",
      header: ClickCsv.header,
      row: ClickCsv.row
    }
  ]
])

const formatOf = (name: string | undefined) => {
  const format = formats.get(name || "ndjson")
  return format === undefined
    ? new BadRequest({ error: "format must be ndjson or csv" })
    : Effect.succeed(format)
}

const failure = "Failed to export product click events"

// The first clicks are read before the answer begins: a store that is away is a 500 and not a broken download.
const answer = Effect.fnUntraced(function* (filter: ClickFilter, format: Format) {
  const clicks = yield* ClickStore
  const texts = yield* Stream.toPull(clickTexts(clicks.stream(filter), format.row))
  const first = yield* nextOf(texts)
  const body = Stream.make(format.header + first).pipe(
    Stream.concat(Stream.fromPull(Effect.succeed(texts))),
    Stream.filter((text) => text !== "")
  )
  return HttpServerResponse.stream(textBody(body, failure), {
    contentType: format.contentType,
    headers: { "content-disposition": `attachment; filename="${format.fileName}"` }
  })
})

/** GET /api/events/product-clicks/export: every click that matches, as it comes from the store. */
export const exportClicks = Effect.fn("exportClicks")(function* (parameters: ClickQueryParameters) {
  const format = yield* formatOf(parameters["format"])
  const filter = yield* Effect.fromResult(ClickQuery.parseFilter(parameters)).pipe(
    Effect.mapError(({ message }) => new BadRequest({ error: message }))
  )
  yield* noticeEmptyFilter(filter)
  return yield* answer(filter, format).pipe(orBusy, orInternalFailure(failure))
})
