import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Readers } from "../access/AccessApi.ts"
import { described, parameter } from "../openapi/declaration.ts"
import { Unavailable } from "../responses/errors.ts"
import { filter } from "./ListingApi.ts"

const lastEventId = Schema.optionalKey(
  Schema.String.annotate({
    description:
      "The id of the last event received. The stream continues after it, without gaps or duplicates, even after a restart of the service or in another process. Takes precedence over after. Without either, the stream starts with clicks stored from now on"
  })
)

const events = {
  description:
    "Events as clicks are stored. The stream ends when the service stops or the credential is no longer valid; reconnect with Last-Event-ID",
  content: {
    "text/event-stream": {
      schema: {
        type: "string",
        description:
          "Per click `event: click`, `id: <position>` and `data: <ClickEvent as JSON>`. After 15 seconds without an event, a comment follows with the current `id` of the stream",
        examples: [
          'event: click\nid: 7410:7410:_7412:7412:_7411_019aa0d2-5c00-7000-8000-5f2b0c9d1e3a\ndata: {"id":"019aa0d2-5c00-7000-8000-5f2b0c9d1e3a","event_type":"product_click",…}\n\n'
        ]
      }
    }
  }
}

const stream = HttpApiEndpoint.get("stream", "/api/events/product-clicks/stream", {
  query: {
    ...filter,
    after: parameter("Same as Last-Event-ID, for clients that cannot set the header", { type: "string" })
  },
  headers: { "Last-Event-ID": lastEventId },
  success: HttpApiSchema.StreamUint8Array({ contentType: "text/event-stream" }),
  error: Unavailable
}).annotateMerge(
  described({
    summary: "Follow new clicks",
    failure: "Failed to follow product click events",
    description:
      "Server-sent events, for EventSource and others: each matching click once, within half a second after it is stored, even if it occurred earlier. A client that reads slower than 8 KiB/s on average is disconnected.",
    transform: (operation) => ({ ...operation, responses: { ...operation["responses"], 200: events } })
  })
)

/** New clicks as they are stored. */
export class StreamApi extends HttpApiGroup.make("streaming")
  .add(stream)
  .middleware(Readers)
  .annotateMerge(OpenApi.annotations({ title: "Stream", description: "Follow new clicks" })) {}
