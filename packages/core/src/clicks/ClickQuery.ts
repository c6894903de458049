import { Result, Schema } from "effect"
import { type ClickQueryParameters, type InvalidClickQuery, invalid } from "../values/QueryParameters.ts"
import { decodeCursor, encodeCursor, type ListingPosition } from "./ClickCursor.ts"
import { ClickEvent as ClickEventSchema } from "./ClickEvent.ts"
import { type ClickFilter, equalityFields } from "./ClickFilter.ts"
import { parseTimeRange } from "./TimeRange.ts"

/** One page of the listing. `after` and an `offset` other than 0 exclude each other. */
export interface ClickQuery {
  readonly filter: ClickFilter
  readonly limit: number
  readonly offset: number
  readonly after?: ListingPosition
}

/** The page, with the exact number of clicks that match the filter whatever the page. */
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

export const defaultLimit = 100
export const maxLimit = 1000

/** Reads a whole decimal number; `fallback` when it is absent. Fails when it is none or not from `min` to `max`. */
export const wholeNumber = (
  parameters: ClickQueryParameters,
  name: string,
  fallback: number,
  min: number,
  max: number
): Result.Result<number, InvalidClickQuery> => {
  const text = parameters[name] || undefined
  if (text === undefined) return Result.succeed(fallback)
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return Result.succeed(number)
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `from ${min} to ${max}`
  return invalid(`${name} must be a whole number, ${range}`)
}

/** Reads the listing's filters. Fails when a time or the time zone is invalid. */
export const parseFilter = (
  parameters: ClickQueryParameters
): Result.Result<ClickFilter, InvalidClickQuery> =>
  Result.map(parseTimeRange(parameters), (range) => {
    const equality = equalityFields.flatMap((field) =>
      parameters[field] ? [[field, parameters[field]]] : []
    )
    return { ...Object.fromEntries(equality), ...range }
  })

/** Reads a page request. Fails with a sentence about the first parameter that cannot be understood. */
export const parse = (parameters: ClickQueryParameters): Result.Result<ClickQuery, InvalidClickQuery> =>
  Result.gen(function* () {
    const filter = yield* parseFilter(parameters)
    const limit = yield* wholeNumber(parameters, "limit", defaultLimit, 1, maxLimit)
    const offset = yield* wholeNumber(parameters, "offset", 0, 0, Number.MAX_SAFE_INTEGER)
    const cursor = parameters["cursor"] || undefined
    if (cursor === undefined) return { filter, limit, offset }
    if (offset !== 0) return yield* invalid("cursor and offset exclude each other; give one of them")
    return { filter, limit, offset, after: yield* decodeCursor(cursor, filter) }
  })

/**
 * Makes the page from up to `limit + 1` clicks in listing order: the one too many only tells that there is a next page.
 */
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
