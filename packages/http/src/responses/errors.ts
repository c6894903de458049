import { Context, Schema } from "effect"

const sentence = (example: string) =>
  Schema.String.annotate({ description: "Error message", examples: [example] })

/** The request cannot be understood. */
export class BadRequest extends Schema.Error<BadRequest>("BadRequest")(
  { error: sentence("limit must be a whole number, from 1 to 1000") },
  { httpApiStatus: 400, description: "Invalid parameter or body" }
) {}

/** Missing or invalid credential. */
export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(
  { error: sentence("Authentication required") },
  { httpApiStatus: 401, description: "Missing or invalid credential" }
) {}

/** A caller who is known and may not do this. */
export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(
  { error: sentence("This needs the role reader") },
  { httpApiStatus: 403, description: "The role of the credential does not permit this" }
) {}

/** A credential that cannot be checked for now, or more exports and large listings than are served at once. */
export class Unavailable extends Schema.Error<Unavailable>("Unavailable")(
  { error: sentence("Authentication is temporarily unavailable. Try again in 10 seconds") },
  {
    httpApiStatus: 503,
    description:
      "Authentication is temporarily unavailable, or too many exports or large listings are in progress; retry after Retry-After"
  }
) {}

/** Not found. */
export class NotFound extends Schema.Error<NotFound>("NotFound")(
  { error: sentence("There is no store s-17") },
  { httpApiStatus: 404, description: "Not found" }
) {}

/** Conflict with an existing entry or state. */
export class Conflict extends Schema.Error<Conflict>("Conflict")(
  { error: sentence("There is an entry with this value already") },
  { httpApiStatus: 409, description: "Conflict with an existing entry or state" }
) {}

/** A body, as sent or unpacked, that is over the limit. */
export class PayloadTooLarge extends Schema.Error<PayloadTooLarge>("PayloadTooLarge")(
  { error: sentence("Body too large: the limit is 33554432 bytes") },
  { httpApiStatus: 413, description: "The body exceeds the limit, compressed or decompressed" }
) {}

/** A content type or a content encoding that is not taken. */
export class UnsupportedMediaType extends Schema.Error<UnsupportedMediaType>("UnsupportedMediaType")(
  { error: sentence("Unsupported content type. Send the body as application/json") },
  { httpApiStatus: 415, description: "Unsupported content type or content encoding" }
) {}

/** The answers to a body that is not looked into. */
export const bodyErrors = [BadRequest, PayloadTooLarge, UnsupportedMediaType] as const

/** A failure inside. What it was stands in the log and never in the answer. */
export class InternalFailure extends Schema.Error<InternalFailure>("InternalFailure")(
  { error: sentence("Failed to fetch product click events") },
  { httpApiStatus: 500, description: "Internal error; see the service's log" }
) {}

const status = Schema.Literal("error")

/** A click that breaks a rule, or a body that holds none. */
export class RecordingRefused extends Schema.Error<RecordingRefused>("RecordingRefused")(
  { status, error: sentence("product_id is required and must be a non-empty string") },
  {
    httpApiStatus: 400,
    description:
      "The body is not a JSON object, or product_id, action or source is invalid (the first of them, in this order)"
  }
) {}

/** A body, as sent or unpacked, that is over the limit. */
export class RecordingTooLarge extends Schema.Error<RecordingTooLarge>("RecordingTooLarge")(
  { status, error: sentence("Body too large: the limit is 65536 bytes") },
  { httpApiStatus: 413, description: "The body exceeds the limit, compressed or decompressed" }
) {}

/** A content type or a content encoding that is not taken. */
export class RecordingUnsupported extends Schema.Error<RecordingUnsupported>("RecordingUnsupported")(
  { status, error: sentence("Send the body as application/json or text/plain") },
  { httpApiStatus: 415, description: "Unsupported content type or content encoding" }
) {}

/** What the caller of an endpoint reads when something fails inside: an annotation of the endpoint. */
export const FailureMessage = Context.Reference<string>("@clicks/http/FailureMessage", {
  defaultValue: () => "Internal error. See the service's log"
})
