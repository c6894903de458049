import { type ClickFilter, equalityFields } from "@clicks/core/clicks/ClickFilter"
import type { Cut, Deletion } from "@clicks/core/clicks/tiers/Cut"
import { unstorableReason } from "@clicks/core/values/Text"
import type { Uuid } from "@clicks/core/values/Uuid"
import { literal } from "../sqlText.ts"
import { always, isEmpty, type Span, spanOf } from "./instants.ts"

/** The fields for which a filter has a value. */
export const comparedFields = (filter: ClickFilter) =>
  equalityFields.filter((field) => filter[field] !== undefined)

/** Whether no stored click can match: a text of the filter cannot be stored, or its range is empty. */
export const matchesNothing = (filter: ClickFilter): boolean =>
  equalityFields.some((field) => unstorableReason(filter[field] ?? "") !== undefined) ||
  isEmpty(spanOf(filter))

/** The condition that a click has the filter's values. */
export const hasValues = (filter: ClickFilter): ReadonlyArray<string> =>
  comparedFields(filter).map((field) => `${field} = ${literal(filter[field] ?? "")}`)

/** The condition that an instant is in the span. */
export const isWithin = ({ from, to }: Span, column = "occurred_at", all = always): ReadonlyArray<string> => [
  ...(from > all.from ? [`${column} >= ${from}`] : []),
  ...(to < all.to ? [`${column} <= ${to}`] : [])
]

const number = (id: Uuid): string => `UUIDStringToNum(${literal(id)})`

/** The condition that the deletion includes a row (`isDeletedBy` in core). */
export const isDeletedBy = (deletion: Deletion): string =>
  deletion instanceof Date
    ? `occurred_at < ${deletion.getTime()} and received_at < ${deletion.getTime()}`
    : `id between ${number(deletion.first)} and ${number(deletion.last)}`

const expired = ({ expired, expiredIds }: Cut): ReadonlyArray<string> =>
  [expired, expiredIds].flatMap((deletion) => (deletion === null ? [] : [isDeletedBy(deletion)]))

/** A setting that consults the index of attempts during planning instead of after opening each part. Saves 4 ms at 20 parts. */
export const indexFirst = "use_skip_indexes_on_data_read = 0"

/** The condition that the cut leaves a row out. Such rows are few, and an index finds them. */
export const isLeftOut = (cut: Cut): string =>
  [
    `attempt > ${cut.mark}`,
    ...(cut.abandoned.length > 0 ? [`attempt in (${cut.abandoned})`] : []),
    ...expired(cut).map((condition) => `(${condition})`)
  ].join(" or ")

/** The condition that the cut contains a row. */
export const isContained = (cut: Cut): ReadonlyArray<string> => [
  `attempt <= ${cut.mark}`,
  ...(cut.abandoned.length > 0 ? [`attempt not in (${cut.abandoned})`] : []),
  ...expired(cut).map((condition) => `not (${condition})`)
]
