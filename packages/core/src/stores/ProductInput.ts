import { Result, Schema } from "effect"
import { type InvalidInput, invalid } from "../values/InvalidInput.ts"
import { isForeignObject, isWithinDepth, readAmount, readFlag, readText } from "./ForeignJson.ts"
import { extraFields, type Product } from "./Product.ts"

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** A product as it is sent. The schema documents it; `readProduct` decides. */
export const ProductInput = Schema.StructWithRest(
  Schema.Struct({
    product_id: Schema.NonEmptyString.annotate({ examples: ["p-1001"] }),
    name: optional(Schema.String),
    brand: optional(Schema.String),
    category: optional(Schema.String),
    price: optional(Schema.Finite.annotate({ description: "Dollars, not negative" })),
    thc: optional(Schema.Finite.annotate({ description: "Percent, not negative" })),
    in_stock: optional(Schema.Boolean),
    url: optional(Schema.String.annotate({ description: "An http or https URL, or a path" }))
  }),
  [Schema.Record(Schema.String, Schema.Json)]
).annotate({
  identifier: "ProductInput",
  description: "Invalid fields are stored as null; additional fields are stored unchanged"
})

/** An entry of a menu that is no product, by its place in the menu (from 0). */
export const RejectedProduct = Schema.Struct({
  index: Schema.Int,
  error: Schema.String
}).annotate({ identifier: "RejectedProduct" })
export interface RejectedProduct extends Schema.Schema.Type<typeof RejectedProduct> {}

/** A parsed menu. `errors` holds the first hundred rejections. */
export interface ParsedMenu {
  readonly products: ReadonlyArray<Product>
  readonly rejected: number
  readonly errors: ReadonlyArray<RejectedProduct>
}

/** How large a menu may be, as JSON: some 600 bytes for each of 50,000 products. */
export const maxMenuBytes = 32 * 1024 * 1024

export const maxProducts = 100_000
const maxErrors = 100
const maxDepth = 64

// A page shows this as a link: a scheme such as javascript: would run there. Browsers skip blanks and control characters.
const foreignScheme = /^(?!https?:)[a-z][a-z0-9+.-]*:/i
const readLink = (value: unknown): string | null => {
  const text = readText(value)
  return text === null || foreignScheme.test(text.replace(/[\0- ]/g, "")) ? null : text
}

/** Reads one product. Fails with the reason when it is no object, has no `product_id` or is nested beyond 64 levels. */
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

const readNew = (value: unknown, seen: Set<string>): Result.Result<Product, string> =>
  Result.flatMap(readProduct(value), (product) => {
    if (seen.has(product.product_id)) return Result.fail("product_id is repeated")
    seen.add(product.product_id)
    return Result.succeed(product)
  })

/**
 * Reads a menu: a JSON array of products. An entry that is no product, or repeats a `product_id`, is rejected and its
 * neighbours are kept. Fails when the menu is no array, has more than 100,000 entries, or has entries and none is a product.
 */
export const readMenu = (menu: unknown): Result.Result<ParsedMenu, InvalidInput> => {
  if (!Array.isArray(menu)) return invalid("is not an array of products")
  if (menu.length > maxProducts) {
    return invalid(`has ${menu.length} products; the limit is ${maxProducts}`)
  }
  const seen = new Set<string>()
  const products: Array<Product> = []
  const errors: Array<RejectedProduct> = []
  for (const [index, value] of menu.entries()) {
    const product = readNew(value, seen)
    if (Result.isSuccess(product)) products.push(product.success)
    else if (errors.length < maxErrors) errors.push({ index, error: product.failure })
  }
  const [first] = errors
  if (products.length === 0 && first !== undefined) {
    return invalid(`has no product in it; entry ${first.index}: ${first.error}`)
  }
  return Result.succeed({ products, rejected: menu.length - products.length, errors })
}
