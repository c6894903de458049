import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import * as ClickInput from "@clicks/core/clicks/ClickInput"
import { DeviceType, fromUserAgent } from "@clicks/core/clicks/DeviceType"
import type { QuarantinedClick } from "@clicks/core/clicks/recording/Quarantine"
import { parseInstant } from "@clicks/core/values/Instant"
import { isUuid, type Uuid } from "@clicks/core/values/Uuid"
import { Result } from "effect"
import { type InputRow, type RowFormat, readRow } from "./InputRow.ts"
import type { Rejection } from "./Rejects.ts"
import { rowIdentity } from "./RowIdentity.ts"
import { type ImportableField, type MappedRow, mapRow, type RowMapping } from "./RowMapping.ts"

/** A row that became a click. */
export interface AcceptedRow {
  readonly row: InputRow
  readonly event: ClickEvent
  /** The original of a row with a value that cannot be stored. */
  readonly quarantined: QuarantinedClick | null
  /** Whether the row has neither an id nor a time. */
  readonly isUndated: boolean
}

const invalidInstant = (name: string) =>
  Result.fail(`${name} is not an ISO 8601 date-time, such as 2026-11-28T09:30:00Z`)

const ownId = (value: unknown): Result.Result<Uuid, string> =>
  typeof value === "string" && isUuid(value)
    ? Result.succeed(value.toLowerCase())
    : Result.fail("id is not a UUID (--map id= ignores the column)")

const instant = <Fallback>(
  mapped: MappedRow,
  name: "client_occurred_at" | "received_at",
  fallback: Fallback
): Result.Result<Date | Fallback, string> => {
  const value = mapped[name]
  if (!value) return Result.succeed(fallback)
  const parsed = typeof value === "string" ? parseInstant(value.trim()) : undefined
  return parsed === undefined ? invalidInstant(name) : Result.succeed(parsed)
}

const deviceType = (value: unknown, userAgent: string | null): Result.Result<DeviceType, string> => {
  if (!value) return Result.succeed(fromUserAgent(userAgent))
  const found = DeviceType.literals.find((literal) => literal === value)
  return found === undefined
    ? Result.fail(`device_type is not one of: ${DeviceType.literals.join(", ")}`)
    : Result.succeed(found)
}

/**
 * Converts a row to a click by the rules of `ClickInput.parse`, and adds the fields that only a stored click has. `identify` derives
 * the id of a row without one; it is called for rejected rows, too, so that no id depends on the rules. Fails with the reason.
 */
export const acceptRow = (
  row: InputRow,
  mapped: MappedRow,
  identify: (mapped: MappedRow) => Uuid,
  now: Date
): Result.Result<AcceptedRow, string> => {
  const id = mapped.id ? ownId(mapped.id) : Result.succeed(identify(mapped))
  const parsed = ClickInput.parse(mapped)
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure.message)
  const received = instant(mapped, "received_at", now)
  if (Result.isFailure(received)) return Result.fail(received.failure)
  const client = instant(mapped, "client_occurred_at", null)
  if (Result.isFailure(client)) return Result.fail(client.failure)
  if (Result.isFailure(id)) return Result.fail(id.failure)
  const { fields } = parsed.success
  // Over HTTP, a click with an invalid time gets the time of receipt. In a file, that would move the past to now.
  if (mapped.occurred_at && fields.occurred_at === null) return invalidInstant("occurred_at")
  const losses = [...parsed.success.losses]
  const text = (name: ImportableField) => ClickInput.textOrNull(mapped, name, (loss) => losses.push(loss))
  const user_agent = text("user_agent")
  const device_type = deviceType(mapped.device_type, user_agent)
  if (Result.isFailure(device_type)) return Result.fail(device_type.failure)
  const received_at = received.success
  const event: ClickEvent = {
    id: id.success,
    event_type: "product_click",
    ...fields,
    user_id: text("user_id"),
    ip_address: text("ip_address"),
    user_agent,
    device_type: device_type.success,
    occurred_at: fields.occurred_at ?? received_at,
    received_at,
    client_occurred_at: client.success
  }
  const quarantined =
    losses.length === 0
      ? null
      : { click_id: event.id, received_at, reason: losses.join("; "), original: row.original }
  return Result.succeed({ row, event, quarantined, isUndated: !mapped.id && !mapped.occurred_at })
}

export type JudgedRow = Result.Result<AcceptedRow, Rejection>

interface JudgeOptions {
  readonly format: RowFormat
  readonly mapping: RowMapping
  /** Text that distinguishes files that begin with the same rows. */
  readonly namespace: string
  /** The time of import, for rows without a time. */
  readonly now: Date
}

/**
 * Validates the rows of an input in order. The id of a row depends on all rows before it, so none may be skipped.
 * `unfilled` returns the fields of `--map` that no row has filled so far.
 */
export const rowJudge = ({ format, mapping, namespace, now }: JudgeOptions) => {
  const identify = rowIdentity(namespace)
  const unfilled = new Set(mapping.mapped)
  const judge = (row: InputRow): JudgedRow => {
    const columns = readRow(format, row)
    if (Result.isFailure(columns)) return Result.fail({ row, reason: columns.failure })
    const mapped = mapRow(mapping, columns.success)
    for (const field of unfilled) if (field in mapped) unfilled.delete(field)
    return Result.mapError(acceptRow(row, mapped, identify, now), (reason) => ({ row, reason }))
  }
  return { judge, unfilled: () => Array.from(unfilled) }
}
