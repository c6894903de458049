import { Result, Schema } from "effect"
import { type InvalidInput, invalid } from "../values/InvalidInput.ts"
import { type Page, type QueryParameters, read, single } from "../values/QueryParameters.ts"
import { decodeCursor, encodeCursor, type ListingPosition } from "./ClickCursor.ts"
import { ClickEvent as ClickEventSchema } from "./ClickEvent.ts"
import { type ClickFilter, type EqualityField, equalityFields, pageParameters } from "./ClickFilter.ts"
import { parseTimeRange } from "./TimeRange.ts"

/** One page of the listing. `after` and an `offset` other than 0 exclude each other. */
export interface ClickQuery extends Page {
  readonly filter: ClickFilter
  readonly after?: ListingPosition
}

/** A page, with the exact number of all clicks that match the filter. */
export const ClickPage = Schema.Struct({
  events: Schema.Array(ClickEventSchema),
  total: Schema.Int.annotate({ description: "Events matching the filters, ignoring limit and offset" }),
  limit: Schema.Int.annotate({ examples: [100] }),
  offset: Schema.Int.annotate({ examples: [0] }),
  next_cursor: Schema.NullOr(Schema.String).annotate({
    description: "Pass as `cursor` to get the next page; null on the last page"
  })
}).annotate({ identifier: "ClickPage" })
export interface ClickPage extends Schema.Schema.Type<typeof ClickPage> {}

/** Reads the listing's filters. Fails when a time or the time zone is invalid. */
export const parseFilter = (parameters: QueryParameters): Result.Result<ClickFilter, InvalidInput> =>
  Result.gen(function* () {
    const range = yield* parseTimeRange(parameters)
    const equality: Partial<Record<EqualityField, string>> = {}
    for (const field of equalityFields) {
      const value = yield* single(parameters, field)
      if (value !== undefined) equality[field] = value
    }
    return { ...equality, ...range }
  })

/** Parses a page request. Fails with a message about the first invalid parameter. */
export const parse = (parameters: QueryParameters): Result.Result<ClickQuery, InvalidInput> =>
  Result.gen(function* () {
    const filter = yield* parseFilter(parameters)
    const { cursor, limit, offset } = yield* read(parameters, pageParameters)
    if (cursor === undefined) return { filter, limit, offset }
    if (offset !== 0) return yield* invalid("`cursor` and `offset` cannot be combined; give one of them")
    return { filter, limit, offset, after: yield* decodeCursor(cursor, filter) }
  })

/** Builds the page from up to `limit + 1` clicks in listing order. The extra one only shows that there is a next page. */
export const toPage = <Click extends ListingPosition>(
  query: ClickQuery,
  found: ReadonlyArray<Click>,
  total: number
): Omit<ClickPage, "events"> & { readonly events: ReadonlyArray<Click> } => {
  const events = found.slice(0, query.limit)
  const last = events.at(-1)
  return {
    events,
    total,
    limit: query.limit,
    offset: query.offset,
    next_cursor: found.length > query.limit && last !== undefined ? encodeCursor(last, query.filter) : null
  }
}
