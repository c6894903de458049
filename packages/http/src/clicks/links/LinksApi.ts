import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"

const page = (description: string) => ({
  description,
  content: { "text/html": { schema: { type: "string" } } }
})

const responses = {
  302: {
    description:
      "The destination. The click is committed to the database or safe on the service's disk, unless both failed",
    headers: {
      Location: { required: true, schema: { type: "string", format: "uri" } },
      "Click-Id": {
        description: "Absent if no click was recorded",
        schema: { type: "string", format: "uuid" }
      },
      "Click-Receipt": { description: "Same as for recording a click", schema: { type: "string" } }
    }
  },
  404: page("The token was not signed by this service, or was changed"),
  503: {
    ...page("The service has not reached the database since it started, so it cannot check tokens"),
    headers: { "Retry-After": { required: true, schema: { type: "string" } } }
  }
}

const follow = HttpApiEndpoint.get("follow", "/r/:token", {
  params: { token: Schema.String.annotate({ description: "As printed by clicks links create" }) },
  success: HttpApiSchema.NoContent
}).annotateMerge(
  OpenApi.annotations({
    summary: "Follow a click link",
    description:
      "Records the click that the link was signed with, then redirects to its destination. A prefetch (HEAD, Sec-Purpose or Purpose) is redirected and records nothing. No authentication required.",
    transform: (operation) => ({ ...operation, responses })
  })
)

/** Signed links that record a click. */
export class LinksApi extends HttpApiGroup.make("links")
  .add(follow)
  .annotateMerge(OpenApi.annotations({ title: "Links", description: "Links that record clicks" })) {}
