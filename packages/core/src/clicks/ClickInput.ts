import { Predicate, Result, Schema } from "effect"
import { parseInstant } from "../values/Instant.ts"
import { replaceUnstorable, unstorableReason } from "../values/Text.ts"
import { ClickAction, type ClickEvent } from "./ClickEvent.ts"
import { actions } from "./ClickFilter.ts"
import { SentNumber } from "./parseJson.ts"

/** The maximum length of the ids that a page chooses for a visitor or a visit, in characters. */
const longestPageId = 64

const pageId = (description: string) =>
  Schema.optionalKey(
    Schema.String.annotate({ description: `${description}. At most ${longestPageId} characters` })
  )

/** What a front end sends: section 2.1 of the specification. The schema documents it; `parse` decides. */
export const ClickInput = Schema.Struct({
  product_id: Schema.NonEmptyString.annotate({ examples: ["p-1001"] }),
  action: ClickAction,
  source: Schema.NonEmptyString.annotate({ examples: ["web"] }),
  store_id: Schema.optionalKey(Schema.String),
  brand_id: Schema.optionalKey(Schema.String),
  campaign_id: Schema.optionalKey(Schema.String),
  dispensary_name: Schema.optionalKey(Schema.String),
  page_type: Schema.optionalKey(Schema.String),
  url_path: Schema.optionalKey(Schema.String),
  occurred_at: Schema.optionalKey(
    Schema.String.annotate({ description: "ISO 8601; default: the time of receipt", format: "date-time" })
  ),
  sent_at: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "When the click is sent, by the sender's clock, in ISO 8601. If it is 2 seconds or more from the time of receipt, occurred_at is shifted by the difference. It is never shifted to more than a day after receipt. It is shifted back by more than 30 days only if it is more than a day after receipt",
      format: "date-time"
    })
  ),
  visitor_city: Schema.optionalKey(Schema.String),
  visitor_state: Schema.optionalKey(Schema.String),
  visitor_lat: Schema.optionalKey(Schema.Finite),
  visitor_lng: Schema.optionalKey(Schema.Finite),
  visitor_id: pageId("Visitor, as identified by the page: the same in all clicks of a visitor"),
  session_id: pageId("Visit, as identified by the page")
}).annotate({
  identifier: "ClickInput",
  examples: [
    { product_id: "p-1001", action: "view", source: "web", store_id: "s-17", campaign_id: "spring-sale" }
  ]
})

/** A click breaks one of the three rules of section 4.1. `message` is the error for the caller. */
export class ClickRejected extends Schema.TaggedError<ClickRejected>()("ClickRejected", {
  message: Schema.String
}) {}

type Sent = keyof typeof ClickInput.fields

/** The fields of a body, in the types of the columns. `occurred_at` is null when the body has none. */
export type ClickFields = Pick<ClickEvent, Exclude<Sent, "occurred_at" | "sent_at">> & {
  readonly occurred_at: Date | null
}

/** An accepted body. `losses` names each value that could not be stored as sent, with the reason. */
export interface ParsedClick {
  readonly fields: ClickFields
  /** The time of sending by the sender's clock; null when the body has none. */
  readonly sentAt: Date | null
  readonly losses: ReadonlyArray<string>
}

type Required = "product_id" | "action" | "source"
type OptionalNumber = "visitor_lat" | "visitor_lng"
type OptionalText = Exclude<Sent, Required | OptionalNumber | "occurred_at" | "sent_at">

type Body = Readonly<Record<string, unknown>>
type Report = (loss: string) => void

const isNonEmptyString = (value: unknown): value is string => typeof value === "string" && value !== ""
const isAction = (value: unknown): value is ClickAction => actions.some((action) => action === value)

/** The rules of section 4.1, in their order. The first one broken is reported. */
const firstBrokenRule = (body: Body): string | undefined => {
  if (!isNonEmptyString(body["product_id"])) return "product_id is required and must be a non-empty string"
  if (!isAction(body["action"])) return `action is required and must be one of: ${actions.join(", ")}`
  if (!isNonEmptyString(body["source"])) return "source is required and must be a non-empty string"
  return undefined
}

// A required field cannot be null, so its characters that cannot be stored are replaced.
const requiredText = (body: Body, name: "product_id" | "source", report: Report): string => {
  const text = String(body[name])
  const reason = unstorableReason(text)
  if (reason === undefined) return text
  report(`${name} ${reason}`)
  return replaceUnstorable(text)
}

/** Reads an optional text. Null if there is none or it cannot be stored; then `report` receives the reason. */
export const textOrNull = (body: Body, name: string, report: Report): string | null => {
  const value = body[name]
  if (!value) return null
  if (typeof value === "object" && !(value instanceof SentNumber)) {
    report(`${name} is not a text`)
    return null
  }
  const text = String(value)
  const reason = unstorableReason(text)
  if (reason === undefined) return text
  report(`${name} ${reason}`)
  return null
}

const pageIdOrNull = (body: Body, name: "session_id" | "visitor_id", report: Report): string | null => {
  const id = textOrNull(body, name, report)?.trim()
  if (!id) return null
  if (id.length <= longestPageId) return id
  // An emoji is one character, but two UTF-16 units in JavaScript.
  if (id.length <= 2 * longestPageId && Array.from(id).length <= longestPageId) return id
  report(`${name} has more than ${longestPageId} characters`)
  return null
}

// Linear: no two parts can match the same digit.
const decimal = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i

const numberOrNull = (body: Body, name: OptionalNumber, report: Report): number | null => {
  const value = body[name]
  if (!value) return null
  const isDecimal = value instanceof SentNumber || (typeof value === "string" && decimal.test(value))
  const number = isDecimal ? Number(value) : value
  if (typeof number === "number" && Number.isFinite(number)) return number
  report(`${name} is not a number`)
  return null
}

/** The instant of a field; null if it has none. Reports any other value. */
export const instantOrNull = (body: Body, name: "occurred_at" | "sent_at", report: Report): Date | null => {
  const value = body[name]
  if (!value) return null
  const instant = typeof value === "string" ? parseInstant(value.trim()) : undefined
  if (instant === undefined) report(`${name} is not an ISO 8601 date-time`)
  return instant ?? null
}

/**
 * Validates a body by the rules of section 4.1 and reads its fields by the null rule of section 2.2.
 *
 * Fails with `ClickRejected` when the body is not an object, or for the first broken rule among `product_id`, `action`,
 * `source`. No other field can fail: what cannot be stored becomes null (for `occurred_at`: the time of receipt) and is
 * named in `losses`.
 */
export const parse = (body: unknown): Result.Result<ParsedClick, ClickRejected> => {
  if (!Predicate.isObject(body) || Array.isArray(body)) {
    return Result.fail(
      new ClickRejected({ message: "The body must be a JSON object with product_id, action and source" })
    )
  }
  const record = body as Body
  const broken = firstBrokenRule(record)
  if (broken !== undefined) return Result.fail(new ClickRejected({ message: broken }))
  const losses: Array<string> = []
  const report: Report = (loss) => losses.push(loss)
  const text = (name: OptionalText) => textOrNull(record, name, report)
  return Result.succeed({
    fields: {
      product_id: requiredText(record, "product_id", report),
      action: record["action"] as ClickAction,
      source: requiredText(record, "source", report),
      store_id: text("store_id"),
      brand_id: text("brand_id"),
      campaign_id: text("campaign_id"),
      dispensary_name: text("dispensary_name"),
      page_type: text("page_type"),
      url_path: text("url_path"),
      visitor_city: text("visitor_city"),
      visitor_state: text("visitor_state"),
      visitor_lat: numberOrNull(record, "visitor_lat", report),
      visitor_lng: numberOrNull(record, "visitor_lng", report),
      visitor_id: pageIdOrNull(record, "visitor_id", report),
      session_id: pageIdOrNull(record, "session_id", report),
      occurred_at: instantOrNull(record, "occurred_at", report)
    },
    sentAt: instantOrNull(record, "sent_at", report),
    losses
  })
}
