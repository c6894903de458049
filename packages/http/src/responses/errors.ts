import { Schema } from "effect"

const sentence = (example: string) =>
  Schema.String.annotate({ description: "Error message", examples: [example] })

const tooLarge = "The body exceeds the limit, compressed or decompressed"
const unsupported = "Unsupported content type or content encoding"

/** Status, description and an example of the message. */
const documentation = {
  BadRequest: [400, "Invalid parameter or body", 'limit must be a whole number, from 1 to 1000; it is "0"'],
  Unauthorized: [401, "Missing or invalid credential", "Authentication required"],
  Forbidden: [403, "The role of the credential does not permit this", "Requires the role reader or admin"],
  NotFound: [404, "Not found", "There is no store s-17"],
  Conflict: [409, "Conflict with an existing entry or state", "There is an entry with this value already"],
  PayloadTooLarge: [413, tooLarge, "Body too large: the limit is 33554432 bytes"],
  UnsupportedMediaType: [415, unsupported, "Unsupported content type. Send the body as application/json"],
  InternalFailure: [500, "Internal error; see the service's log", "Failed to fetch product click events"],
  Unavailable: [
    503,
    "Authentication or the archive of older clicks is temporarily unavailable, or too many exports or large listings are in progress; retry after Retry-After",
    "Authentication is temporarily unavailable. Try again in 10 seconds"
  ],
  RecordingRefused: [
    400,
    "The body is not a JSON object, or product_id, action or source is invalid (the first of them, in this order)",
    "product_id is required and must be a non-empty string"
  ],
  RecordingTooLarge: [413, tooLarge, "Body too large: the limit is 65536 bytes"],
  RecordingUnsupported: [415, unsupported, "Send the body as application/json or text/plain"]
} as const

const answered = <Self>(name: keyof typeof documentation) => {
  const [httpApiStatus, description, example] = documentation[name]
  return Schema.Error<Self>(name)({ error: sentence(example) }, { httpApiStatus, description })
}

const recordingAnswered = <Self>(name: keyof typeof documentation) => {
  const [httpApiStatus, description, example] = documentation[name]
  const fields = { status: Schema.Literal("error"), error: sentence(example) }
  return Schema.Error<Self>(name)(fields, { httpApiStatus, description })
}

/** 400 */
export class BadRequest extends answered<BadRequest>("BadRequest") {}
/** 401 */
export class Unauthorized extends answered<Unauthorized>("Unauthorized") {}
/** 403 */
export class Forbidden extends answered<Forbidden>("Forbidden") {}
/** 404 */
export class NotFound extends answered<NotFound>("NotFound") {}
/** 409 */
export class Conflict extends answered<Conflict>("Conflict") {}
/** 413 */
export class PayloadTooLarge extends answered<PayloadTooLarge>("PayloadTooLarge") {}
/** 415 */
export class UnsupportedMediaType extends answered<UnsupportedMediaType>("UnsupportedMediaType") {}
/** 500. The cause is in the log and never in the response. */
export class InternalFailure extends answered<InternalFailure>("InternalFailure") {}
/** 503. A credential cannot be checked or older clicks cannot be read at the moment, or too many exports and large listings are in progress. */
export class Unavailable extends answered<Unavailable>("Unavailable") {}

/** 400: the click breaks a rule, or the body holds no click. */
export class RecordingRefused extends recordingAnswered<RecordingRefused>("RecordingRefused") {}
/** 413 */
export class RecordingTooLarge extends recordingAnswered<RecordingTooLarge>("RecordingTooLarge") {}
/** 415 */
export class RecordingUnsupported extends recordingAnswered<RecordingUnsupported>("RecordingUnsupported") {}

/** The errors of a request whose body cannot be read. */
export const bodyErrors = [BadRequest, PayloadTooLarge, UnsupportedMediaType] as const
