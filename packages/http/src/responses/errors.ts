import { Schema } from "effect"

const sentence = (example: string) =>
  Schema.String.annotate({ description: "Error message", examples: [example] })

const answered = <Self>(name: string, httpApiStatus: number, description: string, example: string) =>
  Schema.Error<Self>(name)({ error: sentence(example) }, { httpApiStatus, description })

/** 400 */
export class BadRequest extends answered<BadRequest>(
  "BadRequest",
  400,
  "Invalid parameter or body",
  "limit must be a whole number, from 1 to 1000"
) {}

/** 401 */
export class Unauthorized extends answered<Unauthorized>(
  "Unauthorized",
  401,
  "Missing or invalid credential",
  "Authentication required"
) {}

/** 403 */
export class Forbidden extends answered<Forbidden>(
  "Forbidden",
  403,
  "The role of the credential does not permit this",
  "Requires the role reader or admin"
) {}

/** 404 */
export class NotFound extends answered<NotFound>("NotFound", 404, "Not found", "There is no store s-17") {}

/** 409 */
export class Conflict extends answered<Conflict>(
  "Conflict",
  409,
  "Conflict with an existing entry or state",
  "There is an entry with this value already"
) {}

const tooLarge = "The body exceeds the limit, compressed or decompressed"
const unsupported = "Unsupported content type or content encoding"

/** 413 */
export class PayloadTooLarge extends answered<PayloadTooLarge>(
  "PayloadTooLarge",
  413,
  tooLarge,
  "Body too large: the limit is 33554432 bytes"
) {}

/** 415 */
export class UnsupportedMediaType extends answered<UnsupportedMediaType>(
  "UnsupportedMediaType",
  415,
  unsupported,
  "Unsupported content type. Send the body as application/json"
) {}

/** 500. The cause is in the log and never in the response. */
export class InternalFailure extends answered<InternalFailure>(
  "InternalFailure",
  500,
  "Internal error; see the service's log",
  "Failed to fetch product click events"
) {}

/** 503. A credential cannot be checked at the moment, or too many exports and large listings are in progress. */
export class Unavailable extends answered<Unavailable>(
  "Unavailable",
  503,
  "Authentication is temporarily unavailable, or too many exports or large listings are in progress; retry after Retry-After",
  "Authentication is temporarily unavailable. Try again in 10 seconds"
) {}

/** The errors of a request whose body cannot be read. */
export const bodyErrors = [BadRequest, PayloadTooLarge, UnsupportedMediaType] as const

const recordingAnswered = <Self>(name: string, httpApiStatus: number, description: string, example: string) =>
  Schema.Error<Self>(name)(
    { status: Schema.Literal("error"), error: sentence(example) },
    { httpApiStatus, description }
  )

/** 400: the click breaks a rule, or the body holds no click. */
export class RecordingRefused extends recordingAnswered<RecordingRefused>(
  "RecordingRefused",
  400,
  "The body is not a JSON object, or product_id, action or source is invalid (the first of them, in this order)",
  "product_id is required and must be a non-empty string"
) {}

/** 413 */
export class RecordingTooLarge extends recordingAnswered<RecordingTooLarge>(
  "RecordingTooLarge",
  413,
  tooLarge,
  "Body too large: the limit is 65536 bytes"
) {}

/** 415 */
export class RecordingUnsupported extends recordingAnswered<RecordingUnsupported>(
  "RecordingUnsupported",
  415,
  unsupported,
  "Send the body as application/json or text/plain"
) {}
