import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import * as ClickQuery from "@clicks/core/clicks/ClickQuery"
import type { ClickQueryParameters } from "@clicks/core/clicks/ClickQueryParameters"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { Effect, Pull, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { BadRequest } from "../errors.ts"
import { orInternalFailure } from "../orInternalFailure.ts"
import * as ClickCsv from "./ClickCsv.ts"
import * as ClickJson from "./ClickJson.ts"
import { noticeEmptyFilter } from "./filterNotices.ts"

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

/** Clicks written at once: with ndjson some 200 kB, so that a reader who is slow holds up little. */
const piece = 256

// The first clicks are fetched before the answer begins: a store that is away is a 500 and not a broken download.
const begun = Effect.fnUntraced(function* <E, R>(events: Stream.Stream<ClickEvent, E, R>) {
  const pull = yield* Stream.toPull(events)
  const first = yield* Pull.catchDone(pull, () => Effect.succeed(undefined))
  return first === undefined
    ? Stream.empty
    : Stream.concat(Stream.fromArray(first), Stream.fromPull(Effect.succeed(pull)))
})

const write = <E, R>(events: Stream.Stream<ClickEvent, E, R>, format: Format) =>
  Stream.make(format.header).pipe(
    Stream.filter((header) => header !== ""),
    Stream.concat(
      events.pipe(
        Stream.rechunk(piece),
        Stream.mapArray((chunk) => [chunk.map(format.row).join("")] as const)
      )
    ),
    Stream.encodeText
  )

const failure = "Failed to export product click events"

/** GET /api/events/product-clicks/export: every click that matches, as it comes from the store. */
export const exportClicks = Effect.fn("exportClicks")(function* (parameters: ClickQueryParameters) {
  const format = yield* formatOf(parameters["format"])
  const filter = yield* Effect.fromResult(ClickQuery.parseFilter(parameters)).pipe(
    Effect.mapError(({ message }) => new BadRequest({ error: message }))
  )
  yield* noticeEmptyFilter(filter)
  const clicks = yield* ClickStore
  const events = yield* begun(clicks.stream(filter)).pipe(orInternalFailure(failure))
  const body = write(events, format).pipe(
    Stream.tapError((error) => Effect.logError(`${failure}, midway`, error))
  )
  return HttpServerResponse.stream(body, {
    contentType: format.contentType,
    headers: { "content-disposition": `attachment; filename="${format.fileName}"` }
  })
})
