import { ClickStatus } from "@clicks/core/clicks/recording/clickStatus"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Readers } from "../../access/AccessApi.ts"
import { described } from "../../openapi/declaration.ts"
import { NotFound, Unavailable } from "../../responses/errors.ts"

const status = HttpApiEndpoint.get("status", "/api/events/product-clicks/:id", {
  params: {
    id: Schema.String.annotate({ description: "The Click-Id header of the response to the recorded click" })
  },
  success: ClickStatus,
  error: [NotFound, Unavailable]
}).annotateMerge(
  described({
    summary: "Get the status of a click",
    failure: "Failed to look for the click",
    description:
      "Returns 404 if the click is neither in the database nor in the spool of the machine that responds: it was never accepted, was dropped, is older than the retention period, or waits in the spool of another machine. Accepts ids derived from an Idempotency-Key too."
  })
)

/** The status of recorded clicks. */
export class StatusApi extends HttpApiGroup.make("status")
  .add(status)
  .middleware(Readers)
  .annotateMerge(OpenApi.annotations({ title: "Click status", description: "Status of recorded clicks" })) {}
