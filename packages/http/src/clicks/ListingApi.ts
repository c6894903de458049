import { ClickAction } from "@clicks/core/clicks/ClickEvent"
import { ClickPage } from "@clicks/core/clicks/ClickQuery"
import { defaultLimit, maxLimit } from "@clicks/core/values/QueryParameters"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Readers } from "../access/AccessApi.ts"
import { described, limit, offset, parameter, text } from "../openapi/declaration.ts"

/** The parameters that select clicks. */
export const filter = {
  product_id: text("Exact match", "p-1001"),
  store_id: text("Exact match", "s-17"),
  brand_id: text("Exact match", "b-4"),
  campaign_id: text("Exact match", "spring-sale"),
  action: parameter("Exact match; an unknown action matches nothing", {
    type: "string",
    enum: ClickAction.literals
  }),
  source: text("Exact match", "web"),
  visitor_id: text("Exact match", "8c5e7a90"),
  session_id: text("Exact match", "5f2b0c9d"),
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

const list = HttpApiEndpoint.get("list", "/api/events/product-clicks", {
  query: {
    ...filter,
    limit: limit("Maximum clicks per page", maxLimit, defaultLimit),
    offset: offset("Clicks to skip. Cannot be combined with cursor"),
    cursor: text(
      "next_cursor of the previous page with the same filters. Pages never repeat or skip clicks, even while new ones arrive",
      ""
    )
  },
  success: ClickPage
}).annotateMerge(
  described({
    summary: "List clicks",
    failure: "Failed to fetch product click events",
    description: "Newest first, ties by id. Clicks must match all filters. Empty filters are ignored."
  })
)

const exported = {
  description: "Matching clicks",
  headers: {
    "Content-Disposition": {
      required: true,
      schema: { type: "string", examples: ['attachment; filename="product-click-events.csv"'] }
    }
  },
  content: {
    "application/x-ndjson": {
      schema: { type: "string", description: "One ClickEvent per line, as JSON" }
    },
    "text/csv": {
      schema: { type: "string", description: "RFC 4180, with a header row of ClickEvent's field names" }
    }
  }
}

const exportClicks = HttpApiEndpoint.get("export", "/api/events/product-clicks/export", {
  query: {
    ...filter,
    format: parameter("Output format", { type: "string", enum: ["ndjson", "csv"], default: "ndjson" })
  },
  success: HttpApiSchema.StreamUint8Array({ contentType: "application/x-ndjson" })
}).annotateMerge(
  described({
    summary: "Export clicks",
    failure: "Failed to export product click events",
    description:
      "Streams all matching clicks in listing order. If the export fails midway, the connection is reset, so an incomplete export never looks complete. In CSV, texts that a spreadsheet would run as a formula are prefixed with '; clicks import removes the prefix from files that have all columns of an export.",
    transform: (operation) => ({ ...operation, responses: { ...operation["responses"], 200: exported } })
  })
)

/** Listings and exports of clicks. */
export class ListingApi extends HttpApiGroup.make("listing")
  .add(list, exportClicks)
  .middleware(Readers)
  .annotateMerge(OpenApi.annotations({ title: "Listing", description: "List and export clicks" })) {}
