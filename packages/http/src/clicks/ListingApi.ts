import { ClickAction } from "@clicks/core/clicks/ClickEvent"
import { ClickPage, defaultLimit, maxLimit } from "@clicks/core/clicks/ClickQuery"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Readers } from "../access/AccessApi.ts"
import { documented, limit, offset } from "../documentedParameters.ts"
import { BadRequest, FailureMessage, InternalFailure } from "../errors.ts"
import { exported } from "../openApiDetails.ts"

const text = (description: string, example: string) =>
  Schema.optionalKey(Schema.String.annotate({ description, examples: [example] }))

// All are texts: `ClickQuery.parse` in core says what they mean and what is wrong with them.
/** The parameters that say which clicks are meant. */
export const filter = {
  product_id: text("Equals", "p-1001"),
  store_id: text("Equals", "s-17"),
  brand_id: text("Equals", "b-4"),
  campaign_id: text("Equals", "spring-sale"),
  action: text("Equals; an unknown action matches nothing", "view"),
  source: text("Equals", "web"),
  from: text("occurred_at is this or later. ISO 8601; without an offset, in the time zone tz", "2026-11-01"),
  before: text(
    "occurred_at is earlier than this. ISO 8601, as from. from=2026-11-01&before=2026-12-01 is November",
    "2026-12-01"
  ),
  to: text(
    "occurred_at is this or earlier. ISO 8601, as from; a bare date means its first instant, so use before for whole days",
    "2026-11-20T10:00:00Z"
  ),
  tz: text("IANA time zone of dates and times without an offset; UTC when absent", "Europe/Berlin")
}

const action = { type: "string", enum: ClickAction.literals }

const list = HttpApiEndpoint.get("list", "/api/events/product-clicks", {
  query: {
    ...filter,
    limit: text("Clicks on a page", "100"),
    offset: text("Clicks to skip. Excludes cursor", "0"),
    cursor: text(
      "The next_cursor of an earlier answer with the same filters: pages that never repeat or skip while events arrive",
      ""
    )
  },
  success: ClickPage,
  error: [BadRequest, InternalFailure]
})
  .middleware(Readers)
  .annotate(FailureMessage, "Failed to fetch product click events")
  .annotateMerge(
    OpenApi.annotations({
      summary: "List clicks",
      transform: documented({ action, limit: limit(maxLimit, defaultLimit), offset }),
      description: "Newest first, ties by id. Filters that are given all hold; an empty one counts as absent."
    })
  )

const exportClicks = HttpApiEndpoint.get("export", "/api/events/product-clicks/export", {
  query: { ...filter, format: text("Format of the answer", "csv") },
  success: HttpApiSchema.StreamUint8Array({ contentType: "application/x-ndjson" }),
  error: [BadRequest, InternalFailure]
})
  .middleware(Readers)
  .annotate(FailureMessage, "Failed to export product click events")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Export clicks",
      description:
        "All that match, in listing order, as a stream. An answer that breaks off is not whole: the connection is cut, never ended as if it were. In CSV a text that a spreadsheet would take for a formula has a ' before it; clicks import removes it from a file that has all columns of an export.",
      transform: (operation) =>
        exported(
          documented({ action, format: { type: "string", enum: ["ndjson", "csv"], default: "ndjson" } })(
            operation
          )
        )
    })
  )

/** Giving clicks back: for readers and admins. */
export class ListingApi extends HttpApiGroup.make("listing")
  .add(list, exportClicks)
  .annotateMerge(OpenApi.annotations({ title: "Listing", description: "Clicks out" })) {}
