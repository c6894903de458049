import { ClickEvent, fieldNames } from "@clicks/core/clicks/ClickEvent"
import type { QuarantinedClick } from "@clicks/core/clicks/Quarantine"
import type { SpoolEntry, SpooledClick } from "@clicks/core/clicks/Spool"
import { Result, Schema } from "effect"
import type { PlacedRow, SpoolRow } from "./SpoolRow.ts"

const Written = Schema.fromJsonString(
  Schema.Struct({
    // Any object: a record schema would copy it key by key, and a click would take 12 µs to read instead of 6.
    event: Schema.ObjectKeyword,
    reason: Schema.optionalKey(Schema.String)
  })
)

const readWritten = Schema.decodeUnknownResult(Written)
const readEvent = Schema.decodeUnknownResult(ClickEvent)

// Null fields are left out: shorter, and a version that has one more of them reads what an older one wrote.
const absent = Object.fromEntries(fieldNames.map((name) => [name, null]))

const present = (event: ClickEvent): Readonly<Record<string, unknown>> => {
  const fields: Record<string, unknown> = {}
  for (const name of fieldNames) if (event[name] !== null) fields[name] = event[name]
  return fields
}

/** The click as the spool keeps it. Of the quarantined original, the id and the time are those of the click. */
export const encode = ({ event, quarantined }: SpooledClick): SpoolRow => ({
  click: JSON.stringify({ event: present(event), reason: quarantined?.reason }),
  original: quarantined?.original ?? null
})

const quarantinedOf = (
  { id: click_id, received_at }: ClickEvent,
  reason: string | undefined,
  original: Uint8Array | null
): QuarantinedClick | null =>
  reason === undefined || original === null ? null : { click_id, received_at, reason, original }

/** The click that the row stands for; a failure when this version can make nothing of it. */
export const decode = ({
  click,
  original,
  position
}: PlacedRow): Result.Result<SpoolEntry, Schema.SchemaError> =>
  Result.flatMap(readWritten(click), (written) =>
    Result.map(readEvent({ ...absent, ...written.event }), (event) => ({
      event,
      quarantined: quarantinedOf(event, written.reason, original),
      position
    }))
  )
