import type { ClickEvent } from "./ClickEvent.ts"

/** The fields by which clicks can be filtered (by equality) and grouped. */
export const equalityFields = [
  "action",
  "product_id",
  "store_id",
  "brand_id",
  "campaign_id",
  "source",
  "page_type",
  "device_type",
  "visitor_state",
  "visitor_city",
  "visitor_id",
  "session_id"
] as const
export type EqualityField = (typeof equalityFields)[number]

/**
 * Selects the clicks for which every given condition holds. `from` and `to` are inclusive bounds of
 * `occurred_at`. Values are compared as given: an unknown action or device matches nothing.
 */
export interface ClickFilter extends Readonly<Partial<Record<EqualityField, string>>> {
  readonly from?: Date
  readonly to?: Date
}

/** The fields that a filter compares. */
export type FilterableClick = Pick<ClickEvent, EqualityField | "occurred_at">

/** Whether the filter selects a click. SQL adapters express this as a WHERE clause. */
export const matches = (filter: ClickFilter, event: FilterableClick): boolean =>
  equalityFields.every((field) => filter[field] === undefined || filter[field] === event[field]) &&
  (filter.from === undefined || event.occurred_at >= filter.from) &&
  (filter.to === undefined || event.occurred_at <= filter.to)
