import { Effect, Result } from "effect"
import * as Uuid from "../../values/Uuid.ts"
import { sha256, utf8 } from "../../values/WebCrypto.ts"
import type { ClickEvent } from "../ClickEvent.ts"
import * as ClickInput from "../ClickInput.ts"
import { fromUserAgent } from "../DeviceType.ts"
import { clockShift, shifted } from "./clockShift.ts"
import { knownFields } from "./knownFields.ts"
import type { QuarantinedClick } from "./Quarantine.ts"

/** The sender of clicks: the same for all clicks of one request. */
export interface ClickOrigin {
  /** User id of the authenticated caller; null when anonymous. */
  readonly userId: string | null
  readonly ipAddress: string | null
  readonly userAgent: string | null
}

/** One click as it arrives, before validation. */
export interface ClickSubmission {
  /** The decoded JSON value. */
  readonly body: unknown
  readonly origin: ClickOrigin
  /** The bytes as they were sent, for the quarantine. By default, the body as JSON. */
  readonly original?: () => Uint8Array
  /** The id derived from an idempotency key (`idOfKey`): only one click with it is ever stored. By default, a new id. */
  readonly id?: Uuid.Uuid | undefined
  /** The time of sending by the sender's clock, unless the click has a `sent_at` of its own. */
  readonly sentAt?: Date | null
  /**
   * When the request began to arrive, in milliseconds since 1970; by default, now. Otherwise, a body that arrives slowly would look like a
   * slow clock.
   */
  readonly receivedAt?: number | undefined
}

/**
 * The idempotency key of one click in a batch with a key. A client's key contains no spaces, so it cannot equal the key of a single click.
 */
export const keyInBatch = (key: string, index: number): string => `${key} ${index}`

/** The text whose SHA-256 digest becomes the id. `caller` is a user id, or null for anonymous callers. */
export const keyText = (caller: string | null, key: string): string =>
  caller === null ? `anonymous\n${key}` : `user\n${caller}\n${key}`

/** The id of the click that a caller sends with an idempotency key. */
export const idOfKey = (caller: string | null, key: string): Effect.Effect<Uuid.Uuid> =>
  Effect.promise(async () => Uuid.fromDigest(await sha256(keyText(caller, key))))

/** A click to be stored, with its original if some values could not be stored as sent. */
export interface AcceptedClick {
  readonly event: ClickEvent
  readonly quarantined: QuarantinedClick | null
  /** Whether the id is derived from an idempotency key. If so, an existing click with this id means a duplicate. */
  readonly keyed: boolean
  readonly original: () => Uint8Array
  /** Milliseconds that were added to `occurred_at`; 0 if none. */
  readonly clockShift: number
}

// If a value is nested too deeply for JSON.stringify, it is written without the contents of its fields.
const originalOf = (body: unknown): Uint8Array => {
  try {
    return utf8(JSON.stringify(body))
  } catch {
    return utf8(JSON.stringify(knownFields(body).body))
  }
}

// Copied: a view would keep the whole body of the request in memory, and transfer it to other threads.
const quarantinedAs = (
  { id: click_id, received_at }: ClickEvent,
  losses: ReadonlyArray<string>,
  original: () => Uint8Array
): QuarantinedClick | null =>
  losses.length === 0
    ? null
    : { click_id, received_at, reason: losses.join("; "), original: new Uint8Array(original()) }

const asSent = Result.succeed(undefined)

const complete = (
  { fields, losses, sentAt }: ClickInput.ParsedClick,
  {
    body,
    id,
    origin,
    original = () => originalOf(body),
    receivedAt,
    sentAt: requestSentAt = null
  }: ClickSubmission,
  now: number
): AcceptedClick => {
  const received_at = new Date(now)
  const sent = fields.occurred_at
  const clock = sentAt ?? requestSentAt
  const shift = sent === null || clock === null ? 0 : clockShift(clock, receivedAt ?? now)
  const correction = sent === null || shift === 0 ? asSent : shifted(sent, shift, now)
  const corrected = Result.getOrUndefined(correction)
  const event: ClickEvent = {
    // Spread first: in the middle of an object literal, it takes five times as long.
    ...fields,
    id: id ?? Uuid.make(now),
    event_type: "product_click",
    user_id: origin.userId,
    ip_address: origin.ipAddress || null,
    user_agent: origin.userAgent || null,
    device_type: fromUserAgent(origin.userAgent),
    occurred_at: corrected ?? sent ?? received_at,
    received_at,
    client_occurred_at: corrected === undefined ? null : sent
  }
  const allLosses = Result.isFailure(correction) ? [...losses, correction.failure] : losses
  return {
    event,
    quarantined: quarantinedAs(event, allLosses, original),
    keyed: id !== undefined,
    original,
    clockShift: corrected === undefined ? 0 : shift
  }
}

/** Validates a submission and completes it to the record of section 2.2 of the specification. Fails with the first rule that it breaks. */
export const judge = (
  submission: ClickSubmission,
  now: number
): Result.Result<AcceptedClick, ClickInput.ClickRejected> =>
  Result.map(ClickInput.parse(submission.body), (parsed) => complete(parsed, submission, now))
