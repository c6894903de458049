import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Readers } from "../../access/AccessApi.ts"
import { filter } from "../../clicks/ListingApi.ts"
import { described } from "../../openapi/declaration.ts"
import { bodyErrors } from "../../responses/errors.ts"

export const maxDays = 366
export const defaultDays = 30

/** Filters that select the clicks of one visitor, which share links never show. */
export const identifyingFields: ReadonlyArray<string> = ["visitor_id", "session_id"]

const { session_id: _, to: __, visitor_id: ___, ...fixable } = filter

/** What to share, and for how long. */
export const ShareBody = Schema.Struct({
  filter: Schema.optionalKey(
    Schema.Struct(fixable).annotate({
      description:
        "Filter of every request through the link; default: all clicks. If from and before are given, as dates, the link shows only this range, without comparisons"
    })
  ),
  days: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxDays })).annotate({
      description: "Days after which the link expires",
      default: defaultDays
    })
  )
}).annotate({ identifier: "NewShare" })

export const ShareAnswer = Schema.Struct({
  path: Schema.String.annotate({
    description: "Path of the page that shows the share: /share/ followed by the token"
  }),
  token: Schema.String.annotate({
    description: "Send it as X-Clicks-Share to read groups and funnels with the filter of the link"
  }),
  expires_at: Schema.DateFromString
}).annotate({ identifier: "Share" })

const create = HttpApiEndpoint.post("create", "/api/shares", {
  payload: ShareBody,
  success: ShareAnswer.pipe(HttpApiSchema.status(201)),
  error: bodyErrors
}).annotateMerge(
  described({
    summary: "Create a share link",
    description:
      "Signs a link with which anyone can read groups and funnels of analytics, and nothing else, filtered as given. It can be neither changed nor listed. It ends when it expires or the key of this request is revoked; trusted addresses and tokens (JWT) cannot share."
  })
)

/** Share links of the dashboard. */
export class SharingApi extends HttpApiGroup.make("sharing")
  .add(create)
  .middleware(Readers)
  .annotateMerge(OpenApi.annotations({ title: "Sharing", description: "Read-only links to analytics" })) {}
