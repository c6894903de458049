import { Effect, Result } from "effect"
import * as Uuid from "../../values/Uuid.ts"
import { sha256, utf8 } from "../../values/WebCrypto.ts"
import type { ClickEvent } from "../ClickEvent.ts"
import * as ClickInput from "../ClickInput.ts"
import { fromUserAgent } from "../DeviceType.ts"
import { knownFields } from "./knownFields.ts"
import type { QuarantinedClick } from "./Quarantine.ts"

/** Who sends clicks, and from where: the same for all clicks of one request. */
export interface ClickOrigin {
  /** User id of the authenticated caller; null when anonymous. */
  readonly userId: string | null
  readonly ipAddress: string | null
  readonly userAgent: string | null
}

/** One click as it arrives, before it is judged. */
export interface ClickSubmission {
  /** The decoded JSON value. */
  readonly body: unknown
  readonly origin: ClickOrigin
  /** The bytes as they were sent, for the quarantine. Without it, the body as JSON. */
  readonly original?: () => Uint8Array
  /** The id that follows from an idempotency key (`idOfKey`): a click with it is stored once, for ever. Without it, the id is new. */
  readonly id?: Uuid.Uuid | undefined
}

/**
 * The idempotency key of one click in a batch with a key. Keys have no spaces, so this cannot be the key of a single click.
 */
export const keyInBatch = (key: string, index: number): string => `${key} ${index}`

/** The text whose SHA-256 digest makes the id of a key. `caller` is a user id, or null for anonymous. */
export const keyText = (caller: string | null, key: string): string =>
  caller === null ? `anonymous\n${key}` : `user\n${caller}\n${key}`

/** The id of the click that a caller sends under an idempotency key. */
export const idOfKey = (caller: string | null, key: string): Effect.Effect<Uuid.Uuid> =>
  Effect.promise(async () => Uuid.fromDigest(await sha256(keyText(caller, key))))

/** A click that is ready to be stored, and what could not be stored of it. */
export interface AcceptedClick {
  readonly event: ClickEvent
  readonly quarantined: QuarantinedClick | null
  /** Whether the id follows from an idempotency key, so that meeting it again means a duplicate. */
  readonly keyed: boolean
  readonly original: () => Uint8Array
}

// A value nested too deeply for JSON.stringify is written without the contents of its fields.
const originalOf = (body: unknown): Uint8Array => {
  try {
    return utf8(JSON.stringify(body))
  } catch {
    return utf8(JSON.stringify(knownFields(body).body))
  }
}

const complete = (
  { fields, losses }: ClickInput.ParsedClick,
  { body, id, origin, original = () => originalOf(body) }: ClickSubmission,
  now: number
): AcceptedClick => {
  const received_at = new Date(now)
  const event: ClickEvent = {
    // Spread first: in the middle of a literal it takes five times as long.
    ...fields,
    id: id ?? Uuid.make(now),
    event_type: "product_click",
    user_id: origin.userId,
    ip_address: origin.ipAddress || null,
    user_agent: origin.userAgent || null,
    device_type: fromUserAgent(origin.userAgent),
    occurred_at: fields.occurred_at ?? received_at,
    received_at
  }
  const quarantined =
    losses.length === 0
      ? null
      : // A copy: a part of a request's body would keep the whole body in memory, and take it along to other threads.
        { click_id: event.id, received_at, reason: losses.join("; "), original: new Uint8Array(original()) }
  return { event, quarantined, keyed: id !== undefined, original }
}

/**
 * Judges one submission and completes it to the record of section 2.2 of the specification. Fails with the first rule that it
 * breaks.
 */
export const judge = (
  submission: ClickSubmission,
  now: number
): Result.Result<AcceptedClick, ClickInput.ClickRejected> =>
  Result.map(ClickInput.parse(submission.body), (parsed) => complete(parsed, submission, now))
