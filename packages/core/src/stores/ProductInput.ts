import { Result, Schema, Struct } from "effect"
import type { InvalidInput } from "../values/InvalidInput.ts"
import {
  type Entries,
  isForeignObject,
  isWithinDepth,
  readAmount,
  readEntries,
  readFlag,
  readText
} from "./ForeignJson.ts"
import { extraFields, type Product, productFields } from "./Product.ts"

const { product_id: _, ...optional } = productFields

/** A product as it is sent. The schema only documents it; `readProduct` validates it. */
export const ProductInput = Schema.StructWithRest(
  Schema.Struct({
    product_id: Schema.NonEmptyString.annotate({ examples: ["p-1001"] }),
    ...Struct.map(optional, Schema.optionalKey)
  }),
  [Schema.Record(Schema.String, Schema.Json)]
).annotate({
  identifier: "ProductInput",
  description: "Invalid fields are stored as null; additional fields are stored unchanged"
})

/** The maximum size of a menu as JSON: about 600 bytes for each of 50,000 products. */
export const maxMenuBytes = 32 * 1024 * 1024

const maxDepth = 64

// Pages show this as a link, and a scheme such as javascript: would run code there. Browsers skip blanks and control characters.
const foreignScheme = /^(?!https?:)[a-z][a-z0-9+.-]*:/i
const readLink = (value: unknown): string | null => {
  const text = readText(value)
  return text === null || foreignScheme.test(text.replace(/[\0- ]/g, "")) ? null : text
}

/** Reads one product. Fails with the reason if it is not an object, has no `product_id` or is nested deeper than 64 levels. */
export const readProduct = (value: unknown): Result.Result<Product, string> => {
  if (!isForeignObject(value)) return Result.fail("a product must be an object")
  const product_id = readText(value["product_id"])
  if (product_id === null) return Result.fail("product_id is required and must be a non-empty string")
  if (!isWithinDepth(value, maxDepth)) return Result.fail(`is nested deeper than ${maxDepth} levels`)
  return Result.succeed({
    product_id,
    name: readText(value["name"]),
    brand: readText(value["brand"]),
    category: readText(value["category"]),
    price: readAmount(value["price"]),
    thc: readAmount(value["thc"]),
    in_stock: readFlag(value["in_stock"]),
    url: readLink(value["url"]),
    ...extraFields(value)
  })
}

/**
 * Reads a menu: a JSON array of products (`readEntries`). An entry that repeats a `product_id` is rejected.
 */
export const readMenu = (menu: unknown): Result.Result<Entries<Product>, InvalidInput> => {
  const seen = new Set<string>()
  return readEntries("product", menu, (value) =>
    Result.flatMap(readProduct(value), (product) => {
      if (seen.has(product.product_id)) return Result.fail("product_id is repeated")
      seen.add(product.product_id)
      return Result.succeed(product)
    })
  )
}
