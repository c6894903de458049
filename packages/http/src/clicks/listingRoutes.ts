import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import * as ClickQuery from "@clicks/core/clicks/ClickQuery"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../openapi/declaration.ts"
import { badRequest, orBadRequest } from "../responses/expectedErrors.ts"
import * as ClickCsv from "./ClickCsv.ts"
import * as ClickJson from "./ClickJson.ts"
import { clickTexts, orUnavailable, textResponse } from "./clickTexts.ts"
import { noticeEmptyFilter } from "./filterNotices.ts"
import { ListingApi } from "./ListingApi.ts"

const afterComma = () => {
  let separator = ""
  return (click: ClickEvent): string => {
    const text = separator + ClickJson.text(click)
    separator = ","
    return text
  }
}

const listClicks = Effect.fn("listClicks")(function* (query: ClickQuery.ClickQuery) {
  yield* noticeEmptyFilter(query.filter)
  const { events, ...page } = yield* ClickStore.use((clicks) => clicks.streamPage(query))
  return yield* textResponse(clickTexts(events, afterComma()), {
    contentType: "application/json",
    before: '{"events":[',
    after: `],${JSON.stringify(page).slice(1)}`,
    failure: "Failed to fetch product click events"
  })
})

const formats = {
  ndjson: {
    contentType: "application/x-ndjson",
    header: "",
    row: (event: ClickEvent) => `${ClickJson.text(event)}\n`
  },
  csv: { contentType: "text/csv; charset=utf-8", header: ClickCsv.header, row: ClickCsv.row }
}

const exportClicks = Effect.fn("exportClicks")(function* (filter: ClickFilter, wanted: string) {
  if (wanted !== "ndjson" && wanted !== "csv") {
    return yield* badRequest({ message: "format must be ndjson or csv" })
  }
  yield* noticeEmptyFilter(filter)
  const { contentType, header, row } = formats[wanted]
  const { stream } = yield* ClickStore
  return yield* textResponse(clickTexts(stream(filter), row), {
    contentType,
    headers: { "content-disposition": `attachment; filename="product-click-events.${wanted}"` },
    before: header,
    after: "",
    failure: "Failed to export product click events"
  })
})

/** Handles the endpoints of `ListingApi`: section 4.2 of the specification, and exports. */
export const layer = HttpApiBuilder.group(apiOf(ListingApi), "listing", (handlers) =>
  handlers
    .handle("list", ({ query }) =>
      orBadRequest(ClickQuery.parse(query)).pipe(
        Effect.flatMap(listClicks),
        Effect.catchTag("ClickStoreError", orUnavailable)
      )
    )
    .handle("export", ({ query }) =>
      orBadRequest(ClickQuery.parseFilter(query)).pipe(
        Effect.flatMap((filter) => exportClicks(filter, query.format || "ndjson")),
        Effect.catchTag("ClickStoreError", orUnavailable)
      )
    )
)
