import { Hash, Result } from "effect"
import { Base64Url } from "effect/encoding"
import { type InvalidInput, invalid } from "../values/InvalidInput.ts"
import { isUuid } from "../values/Uuid.ts"
import type { ClickEvent } from "./ClickEvent.ts"
import { type ClickFilter, equalityFields } from "./ClickFilter.ts"

/** A place in the listing: the click after which the next page begins. */
export type ListingPosition = Pick<ClickEvent, "occurred_at" | "id">

// Detects mistakes, not forgery: a reader may list from anywhere. Five digits miss one mistake in 60 million and keep a cursor short enough
// for a line of a terminal.
const digests = 36 ** 5

const digestOf = (filter: ClickFilter): string => {
  const values = equalityFields.map((field) => filter[field] ?? null)
  const bounds = [filter.from, filter.to].map((bound) => bound?.getTime() ?? null)
  return ((Hash.string(JSON.stringify([...values, ...bounds])) >>> 0) % digests).toString(36)
}

const textOf = ({ id, occurred_at }: ListingPosition, digest: string): string =>
  Base64Url.encode(`${occurred_at.getTime().toString(36)} ${id} ${digest}`)

/** A cursor is opaque to clients: the position's instant and id, and a digest of the filter, in base64url. */
export const encodeCursor = (position: ListingPosition, filter: ClickFilter): string =>
  textOf(position, digestOf(filter))

/** Reads a cursor that a page of this filter returned. Fails for any other text, and for a cursor of another filter. */
export const decodeCursor = (
  cursor: string,
  filter: ClickFilter
): Result.Result<ListingPosition, InvalidInput> => {
  const text = Result.getOrElse(Base64Url.decodeString(cursor), () => "")
  const [millis = "", id = "", digest = ""] = text.split(" ")
  const occurred_at = new Date(/^-?[\da-z]{1,11}$/.test(millis) ? Number.parseInt(millis, 36) : Number.NaN)
  const isWhole = !Number.isNaN(occurred_at.getTime()) && isUuid(id) && /^[\da-z]{1,5}$/.test(digest)
  // Encoding it again must give the same text; otherwise there is something before, between or after the parts.
  if (!isWhole || textOf({ occurred_at, id }, digest) !== cursor)
    return invalid("cursor must be the next_cursor of a previous response")
  return digest === digestOf(filter)
    ? Result.succeed({ occurred_at, id })
    : invalid(
        "`cursor` belongs to another filter; repeat the filters of the request that returned it, or omit `cursor`"
      )
}
