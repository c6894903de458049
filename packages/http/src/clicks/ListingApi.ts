import { filterParameters, pageParameters } from "@clicks/core/clicks/ClickFilter"
import { ClickPage } from "@clicks/core/clicks/ClickQuery"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Readers } from "../access/AccessApi.ts"
import { described, parameter, query } from "../openapi/declaration.ts"

/** The parameters that select clicks. */
export const filter = query(filterParameters)

const list = HttpApiEndpoint.get("list", "/api/events/product-clicks", {
  query: { ...filter, ...query(pageParameters) },
  success: ClickPage
}).annotateMerge(
  described({
    summary: "List clicks",
    failure: "Failed to fetch product click events",
    description:
      "Newest first, ties by id. Clicks must match all filters; an unknown value matches nothing. Empty filters are ignored."
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
