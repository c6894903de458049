import { quarantineParameters } from "@clicks/core/clicks/recording/Quarantine"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Admins } from "../../access/AccessApi.ts"
import { described, query } from "../../openapi/declaration.ts"
import { BadRequest } from "../../responses/errors.ts"

const QuarantinedClick = Schema.Struct({
  click_id: Schema.String.annotate({ description: "The click it belongs to", format: "uuid" }),
  received_at: Schema.DateFromString,
  reason: Schema.String.annotate({ description: "What could not be stored, and why" }),
  original: Schema.String.annotate({
    description: "The click as it was sent. Bytes that are not UTF-8 are shown as U+FFFD"
  })
}).annotate({ identifier: "QuarantinedClick" })

const list = HttpApiEndpoint.get("list", "/api/admin/quarantine", {
  query: query(quarantineParameters),
  success: Schema.Struct({ entries: Schema.Array(QuarantinedClick), total: Schema.Int }).annotate({
    identifier: "QuarantineList"
  }),
  error: BadRequest
}).annotateMerge(
  described({
    summary: "List the quarantine",
    description: "Originals of clicks that could not be stored as sent, newest first."
  })
)

/** Originals of clicks that could not be stored as sent: for admins. */
export class QuarantineApi extends HttpApiGroup.make("quarantine")
  .add(list)
  .middleware(Admins)
  .annotateMerge(
    OpenApi.annotations({
      title: "Quarantine",
      description: "Originals of clicks that could not be stored as sent"
    })
  ) {}
