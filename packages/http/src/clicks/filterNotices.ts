import { actions } from "@clicks/core/clicks/ClickEvent"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { Effect } from "effect"
import { addNotice } from "../responses/addNotice.ts"
import { headerName } from "../responses/clickNotice.ts"

/** Adds a notice where a filter can match nothing: an unknown action, or a time range that ends before it begins. */
export const noticeEmptyFilter = Effect.fnUntraced(function* ({ action, from, to }: ClickFilter) {
  if (action !== undefined && !actions.some((known) => known === action)) {
    yield* addNotice(`Unknown action: ${headerName(action)} (known actions: ${actions.join(", ")})`)
  }
  if (from !== undefined && to !== undefined && from > to) {
    yield* addNotice("Empty time range: from is not earlier than to or before")
  }
})
