import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import * as ClickInput from "@clicks/core/clicks/ClickInput"
import { DeviceType, fromUserAgent } from "@clicks/core/clicks/DeviceType"
import { SentNumber } from "@clicks/core/clicks/parseJson"
import type { QuarantinedClick } from "@clicks/core/clicks/recording/Quarantine"
import { parseInstant } from "@clicks/core/values/Instant"
import { unstorableReason } from "@clicks/core/values/Text"
import { isUuid, type Uuid } from "@clicks/core/values/Uuid"
import { Result } from "effect"
import type { ReadableRow } from "./InputRow.ts"
import type { MappedRow } from "./RowMapping.ts"

/** A row that became a click, and what could not be stored of it. */
export interface AcceptedRow {
  readonly row: ReadableRow
  readonly event: ClickEvent
  readonly quarantined: QuarantinedClick | null
  /** Whether it carries neither an id nor a time. */
  readonly isUndated: boolean
}

type Report = (loss: string) => void

const isDeviceType = (value: unknown): value is DeviceType =>
  DeviceType.literals.some((literal) => literal === value)

const ownId = (value: unknown): Result.Result<Uuid, string> =>
  typeof value === "string" && isUuid(value)
    ? Result.succeed(value.toLowerCase())
    : Result.fail("id is not a UUID (--map id= ignores the column)")

const notAnInstant = (name: string) =>
  Result.fail(`${name} is not an ISO 8601 date-time, such as 2026-11-28T09:30:00Z`)

const receivedAt = (value: unknown, now: Date): Result.Result<Date, string> => {
  if (!value) return Result.succeed(now)
  const instant = typeof value === "string" ? parseInstant(value.trim()) : undefined
  return instant === undefined ? notAnInstant("received_at") : Result.succeed(instant)
}

const deviceType = (value: unknown, userAgent: string | null): Result.Result<DeviceType, string> => {
  if (!value) return Result.succeed(fromUserAgent(userAgent))
  return isDeviceType(value)
    ? Result.succeed(value)
    : Result.fail(`device_type is not one of: ${DeviceType.literals.join(", ")}`)
}

const text = (
  row: MappedRow,
  name: "user_id" | "ip_address" | "user_agent",
  report: Report
): string | null => {
  const value = row[name]
  if (!value) return null
  const isText = typeof value !== "object" || value instanceof SentNumber
  const reason = isText ? unstorableReason(String(value)) : "is not a text"
  if (reason === undefined) return String(value)
  report(`${name} ${reason}`)
  return null
}

/**
 * Makes a row a click: the rules of `ClickInput.parse`, and beside them the fields that only a record has. `identify`
 * gives an id to a row without one; it is asked whether the row is accepted or not, so that no row's id depends on the rules.
 * Fails with the reason for which the row is rejected.
 */
export const acceptRow = (
  row: ReadableRow,
  mapped: MappedRow,
  identify: (mapped: MappedRow) => Uuid,
  now: Date
): Result.Result<AcceptedRow, string> => {
  const id = mapped.id ? ownId(mapped.id) : Result.succeed(identify(mapped))
  const parsed = ClickInput.parse(mapped)
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure.message)
  const received = receivedAt(mapped.received_at, now)
  if (Result.isFailure(received)) return Result.fail(received.failure)
  if (Result.isFailure(id)) return Result.fail(id.failure)
  const { fields, losses } = parsed.success
  // A click that comes over HTTP happens now, so one with an unreadable time gets the time of receipt. A file holds the past: a year of
  // it in another notation would all be stored as of today.
  if (mapped.occurred_at && fields.occurred_at === null) return notAnInstant("occurred_at")
  const reported = [...losses]
  const report: Report = (loss) => reported.push(loss)
  const user_agent = text(mapped, "user_agent", report)
  const device_type = deviceType(mapped.device_type, user_agent)
  if (Result.isFailure(device_type)) return Result.fail(device_type.failure)
  const received_at = received.success
  const event: ClickEvent = {
    id: id.success,
    event_type: "product_click",
    ...fields,
    user_id: text(mapped, "user_id", report),
    ip_address: text(mapped, "ip_address", report),
    user_agent,
    device_type: device_type.success,
    occurred_at: fields.occurred_at ?? received_at,
    received_at
  }
  const quarantined =
    reported.length === 0
      ? null
      : { click_id: event.id, received_at, reason: reported.join("; "), original: row.original }
  return Result.succeed({ row, event, quarantined, isUndated: !mapped.id && !mapped.occurred_at })
}
