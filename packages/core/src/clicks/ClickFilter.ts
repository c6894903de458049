import { choice, type Parameter, pageOf, text } from "../values/Parameter.ts"

/** The five actions a click can stand for, in the specification's order. */
export const actions = ["view", "open_store", "open_product", "compare", "other"] as const
export const deviceTypes = ["desktop", "mobile", "tablet"] as const

/** The fields by which clicks can be filtered (by equality) and grouped, with their values or an example. */
const fields = {
  action: actions,
  product_id: "p-1001",
  store_id: "s-17",
  brand_id: "b-4",
  campaign_id: "spring-sale",
  source: "web",
  page_type: "category",
  device_type: deviceTypes,
  visitor_state: "AZ",
  visitor_city: "Phoenix",
  visitor_id: "8c5e7a90",
  session_id: "5f2b0c9d"
} as const
export type EqualityField = keyof typeof fields
export const equalityFields = Object.keys(fields) as [EqualityField, ...Array<EqualityField>]

/**
 * Selects the clicks for which every given condition holds. `from` and `to` are inclusive bounds of
 * `occurred_at`. Values are compared as given: an unknown action or device matches nothing.
 */
export interface ClickFilter extends Readonly<Partial<Record<EqualityField, string>>> {
  readonly from?: Date
  readonly to?: Date
}

const equality = (field: EqualityField): Parameter<string | undefined> => {
  const known = fields[field]
  const description = `Clicks with exactly this ${field}`
  const label = field.replace(/^.*_/, "")
  return typeof known === "string" ? text(description, label, known) : choice(description, label, known)
}

/** The parameters that select clicks. */
export const filterParameters = {
  from: text("Clicks at or after this ISO 8601 date or time", "time", "2026-11-01"),
  before: text(
    "Clicks before this date or time. `from` 2026-11-01 and `before` 2026-12-01 select November",
    "time",
    "2026-12-01"
  ),
  to: text(
    "Clicks at or before this date or time. A date means its first instant; for whole days, use `before`",
    "time",
    "2026-11-20T10:00:00Z"
  ),
  tz: text("IANA time zone of dates and times without an offset; default UTC", "zone", "Europe/Berlin"),
  ...(Object.fromEntries(equalityFields.map((field) => [field, equality(field)])) as Record<
    EqualityField,
    ReturnType<typeof equality>
  >)
}

/** The parameters of a page of the listing, beside the filters. */
export const pageParameters = {
  ...pageOf("clicks"),
  cursor: text(
    "The next_cursor of the previous page with the same filters; not with `offset`. Pages never repeat or skip clicks, even while new ones arrive",
    "cursor",
    ""
  )
}

/** The fields that a filter compares. */
export interface FilterableClick extends Readonly<Record<EqualityField, string | null>> {
  readonly occurred_at: Date
}

/** Whether the filter selects a click. SQL adapters express this as a WHERE clause. */
export const matches = (filter: ClickFilter, event: FilterableClick): boolean =>
  equalityFields.every((field) => filter[field] === undefined || filter[field] === event[field]) &&
  (filter.from === undefined || event.occurred_at >= filter.from) &&
  (filter.to === undefined || event.occurred_at <= filter.to)
