import type { PairQuery, ProductPairs } from "@clicks/core/analytics/ProductPairs"
import { compareCodePoints } from "@clicks/core/values/Text"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { ClickChunks } from "../ClickChunks.ts"
import { clicksPerTurn, turn } from "../scanChunks.ts"
import { readVisits } from "./readVisits.ts"
import { Partners, TopPairs } from "./TopPairs.ts"
import type { Visits } from "./Visits.ts"

/** Calls `work` with numbers from `first` to before `end`, some at a time. In between, the process does other work. */
const inTurns = Effect.fnUntraced(function* (
  first: number,
  end: number,
  size: number,
  work: (first: number, end: number) => void
) {
  for (let at = first; at < end; at += size) {
    work(at, Math.min(end, at + size))
    yield* turn
  }
})

/** Replaces products by their positions in the order of their texts. Returns the texts in that order. */
const orderProducts = Effect.fnUntraced(function* (
  chunks: ClickChunks,
  { products, visits }: Effect.Success<ReturnType<typeof readVisits>>
) {
  const used = new Uint8Array(products.size)
  for (let at = 0; at < visits.end; at++) used[visits.products[at] as number] = 1
  const numbers = Array.from(used.keys()).filter((number) => used[number] === 1)
  const textOf = yield* chunks.textsOf(numbers.map((number) => products.second(number)))
  const texts = new Map(numbers.map((number) => [number, textOf(products.second(number)) ?? ""]))
  const ordered = numbers.sort((a, b) => compareCodePoints(texts.get(a) ?? "", texts.get(b) ?? ""))
  const places = new Int32Array(products.size)
  for (const [place, number] of ordered.entries()) places[number] = place
  yield* inTurns(0, visits.end, clicksPerTurn, (first, end) => {
    for (let at = first; at < end; at++) visits.products[at] = places[visits.products[at] as number] as number
  })
  return ordered.map((number) => texts.get(number) ?? "")
})

/** The visits with each product: from `starts[product]` to before `starts[product + 1]`. */
const visitsByProduct = Effect.fnUntraced(function* (visits: Visits, products: number) {
  const starts = new Int32Array(products + 1)
  yield* inTurns(0, visits.end, clicksPerTurn, (first, end) => {
    for (let at = first; at < end; at++) (starts[(visits.products[at] as number) + 1] as number)++
  })
  for (let product = 0; product < products; product++)
    starts[product + 1] = (starts[product + 1] as number) + (starts[product] as number)
  const next = starts.slice()
  const found = new Int32Array(visits.end)
  yield* inTurns(0, visits.size, clicksPerTurn / 4, (first, end) => {
    for (let visit = first; visit < end; visit++)
      for (let at = visits.start(visit); at < visits.start(visit + 1); at++) {
        const product = visits.products[at] as number
        found[next[product] as number] = visit
        ;(next[product] as number)++
      }
  })
  return { found, starts }
})

// With 14 bytes each, 28 MB.
const clicksAtOnce = 2 * 1024 * 1024

// Each has up to 50 products.
const visitsPerTurn = 8192

/**
 * Counts pairs of products that a visitor clicked in one visit. Counts the pairs of one product after those of another, so that memory is
 * needed for visits and products but not for pairs, of which there can be tens of millions.
 */
export const countPairs = Effect.fnUntraced(function* (
  chunks: ClickChunks,
  { limit, product_id, ...asked }: PairQuery,
  mostAtOnce = clicksAtOnce
): Effect.fn.Return<ProductPairs, SqlError.SqlError> {
  const read = yield* readVisits(chunks, asked, mostAtOnce)
  const { visits } = read
  const texts = yield* orderProducts(chunks, read)
  const { found, starts } = yield* visitsByProduct(visits, texts.length)
  const partners = new Partners(texts.length)
  const top = new TopPairs(limit)
  let added = 0
  for (const [product, text] of texts.entries()) {
    if (product_id !== undefined && text !== product_id) continue
    const end = starts[product + 1] as number
    for (let first = starts[product] as number; first < end; first += visitsPerTurn) {
      const some = found.subarray(first, Math.min(end, first + visitsPerTurn))
      partners.add(visits, some, product, product_id === undefined ? product + 1 : 0)
      added += some.length
      if (added < visitsPerTurn) continue
      added = 0
      yield* turn
    }
    top.add(product, partners)
    partners.clear()
  }
  const pairs = top.pairs.map(({ products: [one, other], ...counts }) => ({
    products: [texts[one] ?? "", texts[other] ?? ""] as const,
    ...counts
  }))
  return { pairs, total: top.total, skipped: visits.skipped }
})
