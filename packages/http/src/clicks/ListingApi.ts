import { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { type EqualityField, equalityFields } from "@clicks/core/clicks/ClickFilter"
import { ClickPage } from "@clicks/core/clicks/ClickQuery"
import { defaultLimit, maxLimit } from "@clicks/core/values/QueryParameters"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Readers } from "../access/AccessApi.ts"
import { described, limit, offset, parameter, text } from "../openapi/declaration.ts"

const equals = (field: EqualityField) => {
  const schema = ClickEvent.fields[field]
  if ("literals" in schema)
    return parameter(`Exact match; an unknown ${field} matches nothing`, {
      type: "string",
      enum: schema.literals
    })
  const [example] = Schema.resolveAnnotations(schema)?.examples ?? []
  return text("Exact match", example ?? "")
}

/** The parameters that select clicks. */
export const filter = {
  ...(Object.fromEntries(equalityFields.map((field) => [field, equals(field)])) as Record<
    EqualityField,
    ReturnType<typeof equals>
  >),
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
