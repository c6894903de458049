import { Schema } from "effect"

const text = (description: string, example: string) =>
  Schema.NullOr(Schema.String).annotate({ description, examples: [example] })

/** The fields that the service interprets. A product may have others. */
export const productFields = {
  product_id: Schema.String.annotate({
    description: "Unique among the store's products",
    examples: ["p-1001"]
  }),
  name: text("Name of the product", "Blue Dream 3.5 g"),
  brand: text("Brand of the product", "Green Leaf"),
  category: text("Category of the product", "Flower"),
  price: Schema.NullOr(Schema.Finite).annotate({ description: "Dollars, not negative", examples: [34.5] }),
  thc: Schema.NullOr(Schema.Finite).annotate({ description: "Percent, not negative", examples: [22.4] }),
  in_stock: Schema.NullOr(Schema.Boolean).annotate({ examples: [true] }),
  url: text("Page of the product: an http or https URL, or a path", "https://shop.example/p-1001")
} as const

/** A product of a store's menu. Fields that the menu does not contain are null; fields beyond those declared here are kept unchanged. */
export const Product = Schema.StructWithRest(Schema.Struct(productFields), [
  Schema.Record(Schema.String, Schema.Json)
]).annotate({ identifier: "Product" })
export type Product = typeof Product.Type

const hasMeaning = (name: string): boolean => Object.hasOwn(productFields, name)

/** The fields that the service does not interpret. */
export const extraFields = (product: Readonly<Record<string, Schema.Json>>): Record<string, Schema.Json> =>
  Object.fromEntries(Object.entries(product).filter(([name]) => !hasMeaning(name)))
