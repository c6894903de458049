import { encodeCursor } from "@clicks/core/clicks/ClickCursor"
import { type ClickEvent, compareListing } from "@clicks/core/clicks/ClickEvent"
import { type ClickFilter, equalityFields } from "@clicks/core/clicks/ClickFilter"
import type { ClickPage, ClickQuery } from "@clicks/core/clicks/ClickQuery"

/** The specification's rules for filters, implemented differently from the code. */
const isSought = (filter: ClickFilter, event: ClickEvent): boolean => {
  for (const field of equalityFields) {
    const value = filter[field]
    if (value !== undefined && value !== event[field]) return false
  }
  const time = event.occurred_at.getTime()
  if (filter.from !== undefined && time < filter.from.getTime()) return false
  return filter.to === undefined || time <= filter.to.getTime()
}

/** The expected page of a listing of these clicks. */
export const expectedPage = (stored: Iterable<ClickEvent>, query: ClickQuery): ClickPage => {
  const { after, filter, limit, offset } = query
  const matching = Array.from(stored)
    .filter((event) => isSought(filter, event))
    .sort(compareListing)
  const start = after === undefined ? 0 : matching.filter((event) => compareListing(event, after) <= 0).length
  const events = matching.slice(start + offset, start + offset + limit)
  const last = events.at(-1)
  const more = matching.length > start + offset + events.length && last !== undefined
  return {
    events,
    total: matching.length,
    limit,
    offset,
    next_cursor: more ? encodeCursor(last, filter) : null
  }
}
