import { ClickAction } from "@clicks/core/clicks/ClickEvent"
import { ClickPage, defaultLimit, maxLimit } from "@clicks/core/clicks/ClickQuery"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Readers } from "../access/AccessApi.ts"
import { documented, limit, offset } from "../openapi/documentedParameters.ts"
import { exported } from "../openapi/openApiDetails.ts"
import { BadRequest, FailureMessage, InternalFailure } from "../responses/errors.ts"

const text = (description: string, example: string) =>
  Schema.optionalKey(Schema.String.annotate({ description, examples: [example] }))

// All are texts: `ClickQuery.parse` in core says what they mean and what is wrong with them.
/** The parameters that say which clicks are meant. */
export const filter = {
  product_id: text("Exact match", "p-1001"),
  store_id: text("Exact match", "s-17"),
  brand_id: text("Exact match", "b-4"),
  campaign_id: text("Exact match", "spring-sale"),
  action: text("Exact match; an unknown action matches nothing", "view"),
  source: text("Exact match", "web"),
  from: text(
    "occurred_at is at or after this ISO 8601 date or time. Without an offset, it is in the time zone tz",
    "2026-11-01"
  ),
  before: text(
    "occurred_at is before this ISO 8601 date or time. from=2026-11-01&before=2026-12-01 selects November",
    "2026-12-01"
  ),
  to: text(
    "occurred_at is at or before this ISO 8601 date or time. A date means its first instant; for whole days, use before",
    "2026-11-20T10:00:00Z"
  ),
  tz: text("IANA time zone for dates and times without an offset; default UTC", "Europe/Berlin")
}

const action = { type: "string", enum: ClickAction.literals }

const list = HttpApiEndpoint.get("list", "/api/events/product-clicks", {
  query: {
    ...filter,
    limit: text("Maximum clicks per page", "100"),
    offset: text("Clicks to skip. Cannot be combined with cursor", "0"),
    cursor: text(
      "next_cursor of the previous page with the same filters. Pages never repeat or skip clicks, even while new ones arrive",
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
      description: "Newest first, ties by id. Clicks must match all filters. Empty filters are ignored."
    })
  )

const exportClicks = HttpApiEndpoint.get("export", "/api/events/product-clicks/export", {
  query: { ...filter, format: text("Output format", "csv") },
  success: HttpApiSchema.StreamUint8Array({ contentType: "application/x-ndjson" }),
  error: [BadRequest, InternalFailure]
})
  .middleware(Readers)
  .annotate(FailureMessage, "Failed to export product click events")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Export clicks",
      description:
        "Streams all matching clicks in listing order. If the export fails midway, the connection is reset, so an incomplete export never looks complete. In CSV, texts that a spreadsheet would run as a formula are prefixed with '; clicks import removes the prefix from files that have all columns of an export.",
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
  .annotateMerge(OpenApi.annotations({ title: "Listing", description: "List and export clicks" })) {}
