import { actions, type ClickFilter, deviceTypes } from "@clicks/core/clicks/ClickFilter"
import { Effect } from "effect"
import { addNotice, headerName } from "../responses/clickNotice.ts"

const noticeUnknown = (what: string, value: string | undefined, known: ReadonlyArray<string>) =>
  value === undefined || known.includes(value)
    ? Effect.void
    : addNotice(`Unknown ${what}: ${headerName(value)} (known ${what}s: ${known.join(", ")})`)

/** Adds a notice if the filter cannot match: its action or device type is unknown, or its time range is empty. */
export const noticeEmptyFilter = Effect.fnUntraced(function* ({
  action,
  device_type,
  from,
  to
}: ClickFilter) {
  yield* noticeUnknown("action", action, actions)
  yield* noticeUnknown("device type", device_type, deviceTypes)
  if (from !== undefined && to !== undefined && from > to) {
    yield* addNotice("Empty time range: from is not earlier than to or before")
  }
})
