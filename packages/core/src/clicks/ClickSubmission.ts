import { Clock, Effect } from "effect"
import { utf8 } from "../WebCrypto.ts"
import type { ClickEvent } from "./ClickEvent.ts"
import * as ClickId from "./ClickId.ts"
import * as ClickInput from "./ClickInput.ts"
import { fromUserAgent } from "./DeviceType.ts"
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
  /** The same key from the same user is stored once, for ever. */
  readonly idempotencyKey?: string
}

/** A click that is ready to be stored, and what could not be stored of it. */
export interface AcceptedClick {
  readonly event: ClickEvent
  readonly quarantined: QuarantinedClick | null
  /** Whether the id follows from an idempotency key, so that meeting it again means a duplicate. */
  readonly keyed: boolean
  readonly original: () => Uint8Array
}

/** Judges a submission and completes it to the record of section 2.2. Fails with the first broken rule. */
export const accept: (submission: ClickSubmission) => Effect.Effect<AcceptedClick, ClickInput.ClickRejected> =
  Effect.fnUntraced(function* ({
    body,
    idempotencyKey,
    origin,
    original = () => utf8(JSON.stringify(body))
  }) {
    const { fields, losses } = yield* Effect.fromResult(ClickInput.parse(body))
    const now = yield* Clock.currentTimeMillis
    const id =
      idempotencyKey === undefined
        ? ClickId.make(now)
        : yield* ClickId.fromIdempotencyKey(origin.userId, idempotencyKey)
    const received_at = new Date(now)
    const event: ClickEvent = {
      id,
      event_type: "product_click",
      ...fields,
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
        : { click_id: id, received_at, reason: losses.join("; "), original: original() }
    return { event, quarantined, keyed: idempotencyKey !== undefined, original }
  })
