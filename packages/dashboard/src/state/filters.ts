import { computed } from "@preact/signals"
import type { QueryOf } from "../api/endpoints.ts"
import { address } from "./address.ts"
import { comparison, range, zone } from "./range.ts"

/** The fields that clicks can be filtered by. A filter of the API that is missing in `filterFields` is a type error. */
export type FilterField = Exclude<
  keyof QueryOf<"/api/events/product-clicks/stream">,
  "after" | "before" | "from" | "to" | "tz"
>

/** The names of the fields. */
export const filterFields: Readonly<Record<FilterField, string>> = {
  product_id: "Product",
  store_id: "Store",
  brand_id: "Brand",
  campaign_id: "Campaign",
  action: "Action",
  source: "Source",
  page_type: "Page type",
  device_type: "Device",
  visitor_state: "State",
  visitor_city: "City",
  visitor_id: "Visitor",
  session_id: "Session"
}

/** The filters in the address. */
export const filters = computed(() =>
  (Object.keys(filterFields) as ReadonlyArray<FilterField>).flatMap((field) => {
    const value = address.value[field]
    return value === undefined ? [] : [{ field, value }]
  })
)

/** The filters as parameters of the API. */
export const filtered = computed<{ readonly [field in FilterField]?: string }>(() =>
  Object.fromEntries(filters.value.map(({ field, value }) => [field, value]))
)

/** The filters and the range as parameters of the API. */
export const scope = computed(() => ({
  ...filtered.value,
  from: range.value.from,
  before: range.value.before,
  tz: zone.value
}))

/** `scope` and the comparison. */
export const comparedScope = computed(() => ({
  ...scope.value,
  ...(comparison.value !== "none" && { compare: comparison.value })
}))
