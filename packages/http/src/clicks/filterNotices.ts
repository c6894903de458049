import { actions } from "@clicks/core/clicks/ClickEvent"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { Effect } from "effect"
import { addNotice, headerName } from "../responses/clickNotice.ts"

/** Adds a notice if the filter cannot match: its action is unknown, or its time range is empty. */
export const noticeEmptyFilter = Effect.fnUntraced(function* ({ action, from, to }: ClickFilter) {
  if (action !== undefined && !actions.some((known) => known === action)) {
    yield* addNotice(`Unknown action: ${headerName(action)} (known actions: ${actions.join(", ")})`)
  }
  if (from !== undefined && to !== undefined && from > to) {
    yield* addNotice("Empty time range: from is not earlier than to or before")
  }
})
