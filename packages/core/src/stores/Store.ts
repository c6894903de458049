import { Schema } from "effect"
import { instant } from "../values/Instant.ts"
import { unstorableReason } from "../values/Text.ts"
import { UsState } from "./UsState.ts"

const maxIdLength = 255

/** The reason why a text cannot be the id of a store; undefined if it can. */
export const storeIdProblem = (id: string): string | undefined => {
  if (id === "") return "is empty"
  if (id.length > maxIdLength) return `is longer than ${maxIdLength} characters`
  return unstorableReason(id)
}

/** A store's id, as assigned by the directory: 1 to 255 characters. */
export const StoreId = Schema.String.check(
  Schema.makeFilter((id: string) => storeIdProblem(id) ?? true),
  // Only for the description of the API: the filter has checked the length already.
  Schema.isMinLength(1),
  Schema.isMaxLength(maxIdLength)
).annotate({
  description: "Store id, 1 to 255 characters",
  examples: ["s-17"]
})

/** A store as the directory lists it. Missing fields are null. */
export const StoreListing = Schema.Struct({
  id: StoreId,
  name: Schema.NullOr(Schema.String),
  state: Schema.NullOr(UsState),
  menu_url: Schema.NullOr(Schema.String).annotate({
    description: "Where its menu is fetched: an absolute http or https URL"
  })
})
export interface StoreListing extends Schema.Schema.Type<typeof StoreListing> {}

/** A store, with the number of its stored products. */
export const Store = Schema.Struct({
  ...StoreListing.fields,
  fetched_at: Schema.NullOr(instant("When the stored products were fetched; null if never")),
  product_count: Schema.Int.annotate({ description: "Number of stored products" }),
  created_at: instant("When the store was first saved"),
  updated_at: instant("When the store was last changed")
}).annotate({ identifier: "Store" })
export interface Store extends Schema.Schema.Type<typeof Store> {}
