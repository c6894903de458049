import * as ClickQuery from "@clicks/core/clicks/ClickQuery"
import type { ClickQueryParameters } from "@clicks/core/clicks/ClickQueryParameters"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { BadRequest } from "../errors.ts"
import { orInternalFailure } from "../orInternalFailure.ts"
import * as ClickJson from "./ClickJson.ts"
import { noticeEmptyFilter } from "./filterNotices.ts"

/** GET /api/events/product-clicks: section 4.2 of the specification. */
export const listClicks = Effect.fn("listClicks")(function* (parameters: ClickQueryParameters) {
  const query = yield* Effect.fromResult(ClickQuery.parse(parameters)).pipe(
    Effect.mapError(({ message }) => new BadRequest({ error: message }))
  )
  yield* noticeEmptyFilter(query.filter)
  const clicks = yield* ClickStore
  const page = yield* clicks.list(query).pipe(orInternalFailure("Failed to fetch product click events"))
  const body: typeof ClickQuery.ClickPage.Encoded = { ...page, events: page.events.map(ClickJson.encode) }
  return HttpServerResponse.jsonUnsafe(body)
})
