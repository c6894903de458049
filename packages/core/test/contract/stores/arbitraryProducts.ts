import type { Product } from "@clicks/core/stores/Product"
import type { ProductFilter } from "@clicks/core/stores/ProductFilter"
import { productSorts, sortOrders } from "@clicks/core/stores/productParameters"
import { replaceUnstorable } from "@clicks/core/values/Text"
import { Arbitrary, Schema } from "effect"

// Few values, so that products share them and filters match some; they include values that are difficult for quoting, patterns and
// collations.
const known = [
  "Flower",
  "flower",
  "100%",
  "1000",
  "a_b",
  "axb",
  "a\\b",
  "Straße",
  "STRASSE",
  "Zoë",
  "Zoe\u0308",
  "ΟΔΟΣ",
  "\uffee",
  "😀",
  'it\'s "q" {a,b}',
  "NULL"
]
const text = Schema.NullOr(Schema.Union([Schema.Literals(known), Schema.String]))
const sums = [0, 0.1, 0.2, 0.30000000000000004, 12.5, 34.99, 1e15, 123456789.123456]
const amount = Schema.NullOr(
  Schema.Union([
    Schema.Literals(sums),
    Schema.Finite.check(Schema.isBetween({ minimum: 1e-6, maximum: 1e9 }))
  ])
)

const ProductParts = Schema.Struct({
  name: text,
  brand: text,
  category: text,
  price: amount,
  thc: amount,
  in_stock: Schema.NullOr(Schema.Boolean),
  url: Schema.NullOr(Schema.Literals(["https://shop.example/p"])),
  extra: Schema.Struct({
    strain: Schema.optionalKey(Schema.Literals(["Indica", "a\0b", "\ud83d", ""])),
    weights: Schema.optionalKey(Schema.NullOr(Schema.Literal(3.5))),
    ["__proto__"]: Schema.optionalKey(Schema.Literals([1]))
  })
})

const storable = (value: string | null): string | null =>
  value === null ? null : replaceUnstorable(value) || null

/** Valid menus: every text can be stored, numbers are not negative, product ids are unique. */
export const arbitraryMenu: Arbitrary.Arbitrary<ReadonlyArray<Product>> = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(ProductParts), { maxLength: 30 }),
  (menu) =>
    menu.map(({ brand, category, extra, name, price, thc, ...product }, index) => ({
      ...product,
      product_id: `p-${(index * 7) % 31}`,
      name: storable(name),
      brand: storable(brand),
      category: storable(category),
      price: price === null ? null : price + 0,
      thc: thc === null ? null : thc + 0,
      ...extra
    }))
)

const sought = Schema.Union([
  Schema.Literals([...known, "a\0b", "\ud83d", "nothing has this"]),
  Schema.String
])
const wanted = Schema.optionalKey(Schema.Array(sought).check(Schema.isMinLength(1), Schema.isMaxLength(3)))
const bound = Schema.optionalKey(Schema.Literals([...sums, -1, 1e300]))
const part = Schema.Literals([
  "f",
  "FLOW",
  "0",
  "%",
  "_",
  "\\",
  "strasse",
  "zoë",
  "οδοσ",
  "😀",
  "'",
  "\0",
  "\ud83d"
])

const FilterParts = Schema.Struct({
  brand: wanted,
  category: wanted,
  price_min: bound,
  price_max: bound,
  thc_min: bound,
  thc_max: bound,
  in_stock: Schema.optionalKey(Schema.Boolean),
  search: Schema.optionalKey(Schema.Union([part, part, Schema.NonEmptyString]))
})

// With all fields at once, so many conditions would match nothing, so mostly a few are given.
const fewOf = (filter: ProductFilter, keep: ReadonlyArray<boolean>): ProductFilter =>
  Object.fromEntries(Object.entries(filter).filter((_, index) => keep[index] === true))

/** Filters of every combination, including values that no store can hold. */
export const arbitraryFilter: Arbitrary.Arbitrary<ProductFilter> = Arbitrary.map(
  Arbitrary.all([
    Arbitrary.schema(FilterParts),
    Arbitrary.array(Arbitrary.schema(Schema.Literals([true, false, false, false])), {
      minLength: 8,
      maxLength: 8
    })
  ]),
  ([filter, keep]) => fewOf(filter, keep)
)

export const arbitraryPage = Arbitrary.schema(
  Schema.Struct({
    sort: Schema.optionalKey(Schema.Literals(productSorts)),
    order: Schema.Literals(sortOrders),
    limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 })),
    offset: Schema.Literals([0, 0, 1, 7, 1_000_000_000_000])
  })
)
