import { ClickInput } from "@clicks/core/clicks/ClickInput"
import { ReceiptOutcome } from "@clicks/core/clicks/recording/ClickReceipt"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { parameter } from "../../openapi/declaration.ts"
import { recordingImage, recordingMany, recordingOne } from "../../openapi/openApiDetails.ts"
import { RecordingRefused, RecordingTooLarge, RecordingUnsupported } from "../../responses/errors.ts"

/** The paths that record clicks. */
export const path = {
  one: "/api/events/product-click",
  many: "/api/events/product-clicks",
  image: "/api/events/product-click.gif"
} as const

// Without an example: the page at /docs would send it, and every request after the first would be a duplicate.
const idempotencyKey = Schema.optionalKey(
  Schema.String.annotate({
    description:
      "1 to 255 visible ASCII characters, unique per click. Use a random UUID, because all anonymous callers count as one. Clicks from the same caller with the same key are stored once; keys do not expire. Invalid keys are ignored and reported in Click-Notice."
  })
)

const key = Schema.optionalKey(
  Schema.String.annotate({
    description:
      "Same as Idempotency-Key, but needs no CORS preflight. If both are given, they must be equal."
  })
)

const notice = Schema.optionalKey(
  Schema.String.annotate({
    description: "Ignored fields, values that could not be stored, and corrected times, in plain text"
  })
)

const receiptHeaders = {
  "click-id": Schema.optionalKey(Schema.String.annotate({ description: "Id of the click", format: "uuid" })),
  "click-receipt": ReceiptOutcome.annotate({
    description:
      "stored: committed to the database. spooled: safe on the service's disk; will be stored when the database is back. duplicate: already stored with this Idempotency-Key. dropped: not saved, because database and spool both failed."
  }),
  "click-notice": notice
}

const error = [RecordingRefused, RecordingTooLarge, RecordingUnsupported]

const record = HttpApiEndpoint.post("record", path.one, {
  headers: { "Idempotency-Key": idempotencyKey },
  query: { key },
  payload: ClickInput,
  success: HttpApiSchema.WithHeaders(
    Schema.Struct({ status: Schema.Literal("ok") }).annotate({
      identifier: "Recorded",
      description: "Click accepted. Click-Receipt shows whether it was stored"
    }),
    receiptHeaders
  ),
  error
}).annotateMerge(
  OpenApi.annotations({
    summary: "Record a click",
    description:
      "No authentication required. The user of a valid credential is stored as user_id; invalid credentials are ignored. Only product_id, action and source are validated. Returns 200 even if storing fails; see Click-Receipt.",
    override: recordingOne
  })
)

const degrees = parameter("In degrees", { type: "number" })

const recordByImage = HttpApiEndpoint.get("recordByImage", path.image, {
  headers: { "Idempotency-Key": idempotencyKey },
  query: { ...ClickInput.fields, visitor_lat: degrees, visitor_lng: degrees, key },
  success: HttpApiSchema.WithHeaders(
    HttpApiSchema.StreamUint8Array({ contentType: "image/gif" }),
    receiptHeaders
  )
}).annotateMerge(
  OpenApi.annotations({
    summary: "Record a click by showing an image",
    description:
      "For e-mails and for pages without scripts: <img src>. Takes the fields of a click as query parameters and validates them like the other endpoints. The response is always a transparent image of one pixel, which is never cached. A HEAD request records nothing.",
    ...recordingImage
  })
)

/** The outcomes of the clicks of one request, counted. The counts and `errors` add up to the number of clicks sent. */
export const RecordedMany = Schema.Struct({
  status: Schema.Literal("ok"),
  stored: Schema.Int.annotate({ description: "Committed to the database by this request" }),
  duplicates: Schema.Int.annotate({ description: "Already stored with this Idempotency-Key" }),
  spooled: Schema.Int.annotate({
    description: "Safe on the service's disk; will be stored when the database is back"
  }),
  dropped: Schema.Int.annotate({ description: "Not saved; send them again" }),
  errors: Schema.Array(
    Schema.Struct({
      index: Schema.Int.annotate({
        description: "Index of the click, from 0; blank lines are not counted"
      }),
      error: Schema.String.annotate({ examples: ["source is required and must be a non-empty string"] })
    })
  )
}).annotate({
  identifier: "RecordedMany",
  examples: [
    {
      status: "ok",
      stored: 2,
      duplicates: 0,
      spooled: 0,
      dropped: 0,
      errors: [{ index: 1, error: "source is required and must be a non-empty string" }]
    }
  ]
})
export interface RecordedMany extends Schema.Schema.Type<typeof RecordedMany> {}

const recordMany = HttpApiEndpoint.post("recordMany", path.many, {
  headers: { "Idempotency-Key": idempotencyKey },
  query: { key },
  payload: Schema.Array(ClickInput),
  success: HttpApiSchema.WithHeaders(RecordedMany, { "click-notice": notice }),
  error
}).annotateMerge(
  OpenApi.annotations({
    summary: "Record multiple clicks",
    description:
      "Accepts a JSON array, NDJSON, or an object with the array as `clicks` and the time of sending as `sent_at`, which applies to each click without its own. Each click is validated separately: an invalid click or line does not affect the others. Idempotency-Key applies to each click by its position, so a repeated request stores each click once.",
    override: recordingMany
  })
)

/** Recording clicks, without authentication. */
export class RecordingApi extends HttpApiGroup.make("recording")
  .add(record, recordMany, recordByImage)
  .annotateMerge(OpenApi.annotations({ title: "Recording", description: "Record clicks" })) {}
