import { ClickInput } from "@clicks/core/clicks/ClickInput"
import { ReceiptOutcome } from "@clicks/core/clicks/ClickReceipt"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { RecordingRefused, RecordingTooLarge, RecordingUnsupported } from "../errors.ts"
import { recordingMany, recordingOne } from "../openApiDetails.ts"
import { path } from "./recordingPaths.ts"

// Without an example: the page at /docs would send it, and every request after the first would be a duplicate.
const idempotencyKey = Schema.optionalKey(
  Schema.String.annotate({
    description:
      "1 to 255 visible ASCII characters, unique per click, such as 2f1c9d0e-checkout-17. The same key from the same caller is stored once, for ever. Anything else is ignored, and the answer's Click-Notice says so."
  })
)

const notice = Schema.optionalKey(
  Schema.String.annotate({
    description: "What of the request was ignored or could not be stored as it was sent, for a person"
  })
)

const error = [RecordingRefused, RecordingTooLarge, RecordingUnsupported]

const record = HttpApiEndpoint.post("record", path.one, {
  headers: { "Idempotency-Key": idempotencyKey },
  payload: ClickInput,
  success: HttpApiSchema.WithHeaders(
    Schema.Struct({ status: Schema.Literal("ok") }).annotate({
      identifier: "Recorded",
      description: "The click was accepted; Click-Receipt tells what became of it"
    }),
    {
      "click-id": Schema.optionalKey(
        Schema.String.annotate({ description: "The id of the record", format: "uuid" })
      ),
      "click-receipt": ReceiptOutcome.annotate({
        description:
          "stored: committed to the database. spooled: safe on the service's disk, and will be stored. duplicate: this Idempotency-Key was stored before. dropped: neither was possible."
      }),
      "click-notice": notice
    }
  ),
  error
}).annotateMerge(
  OpenApi.annotations({
    summary: "Record one click",
    description:
      "Anonymous callers are welcome; a credential that checks out is stored as user_id, one that does not is ignored. Only product_id, action and source are judged. The answer is 200 even when storing fails.",
    override: recordingOne
  })
)

/** What became of the clicks of one request, as numbers. They and `errors` add up to the clicks sent. */
export const RecordedMany = Schema.Struct({
  status: Schema.Literal("ok"),
  stored: Schema.Int.annotate({ description: "Committed to the database by this request" }),
  duplicates: Schema.Int.annotate({ description: "Stored before under this Idempotency-Key" }),
  spooled: Schema.Int.annotate({ description: "Safe on the service's disk; they will be stored" }),
  dropped: Schema.Int.annotate({ description: "Neither was possible; send them again" }),
  errors: Schema.Array(
    Schema.Struct({
      index: Schema.Int.annotate({
        description: "Which click, counted from 0; blank lines are not counted"
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
  payload: Schema.Array(ClickInput),
  success: HttpApiSchema.WithHeaders(RecordedMany, { "click-notice": notice }),
  error
}).annotateMerge(
  OpenApi.annotations({
    summary: "Record many clicks",
    description:
      "A JSON array or NDJSON, at most 1,000 clicks and 1 MiB. Each is judged alone: one bad click, or a line that is not JSON, never affects the others. The Idempotency-Key covers each click with its place in the request, so the same request sent again adds nothing.",
    override: recordingMany
  })
)

/** Taking clicks in: open to everybody. */
export class RecordingApi extends HttpApiGroup.make("recording")
  .add(record, recordMany)
  .annotateMerge(OpenApi.annotations({ title: "Recording", description: "Clicks in" })) {}
