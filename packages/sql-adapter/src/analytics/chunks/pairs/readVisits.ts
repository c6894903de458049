import type { PairQuery } from "@clicks/core/analytics/ProductPairs"
import { Effect } from "effect"
import { type Coded, codedOf } from "../Chunk.ts"
import type { ClickChunks } from "../ClickChunks.ts"
import { PairIndex } from "../PairIndex.ts"
import { readAll } from "../passes.ts"
import { Slots } from "../Slots.ts"
import { clicksPerTurn, turn } from "../scanChunks.ts"
import { forEachMatch } from "../visitors/forEachMatch.ts"
import { addSizes, type Groups, partOf, VisitorClicks, visitorsPerGroup } from "./VisitorClicks.ts"
import { Visits } from "./Visits.ts"

/** Divides groups into parts with at most this many clicks each, or with one group. */
const divide = (sizes: Int32Array, mostAtOnce: number): ReadonlyArray<Groups> => {
  const parts: Array<Groups> = []
  let [first, clicks] = [0, 0]
  for (const [group, size] of sizes.entries()) {
    if (clicks > 0 && clicks + size > mostAtOnce) {
      parts.push({ first, end: group })
      first = group
      clicks = 0
    }
    clicks += size
  }
  return clicks > 0 ? [...parts, { first, end: sizes.length }] : parts
}

const clicksIn = ({ end, first }: Groups, sizes: Int32Array): number =>
  sizes.subarray(first, end).reduce((sum, size) => sum + size, 0)

/** Numbers products in the order in which they appear in chunks. */
class ProductNumbers {
  readonly index = new PairIndex(20)
  readonly #known = new WeakMap<Int32Array, Int32Array>()

  of({ values }: Coded): Int32Array {
    const known = this.#known.get(values) ?? values.map((id) => this.index.add(0, id))
    this.#known.set(values, known)
    return known
  }
}

/**
 * Reads visits with clicks on several products. The clicks of a visit can be in any chunks, so the clicks of each visitor are first made
 * consecutive, for as many visitors at a time as have `mostAtOnce` clicks.
 */
export const readVisits = Effect.fnUntraced(function* (
  chunks: ClickChunks,
  { filter, timeZone }: Pick<PairQuery, "filter" | "timeZone">,
  mostAtOnce: number
) {
  const sizes = new Int32Array(Math.floor(chunks.lastVisitor / visitorsPerGroup) + 1)
  yield* chunks.scan(
    () => ["visitor"],
    (slice) => addSizes(slice, sizes)
  )
  const numbers = new ProductNumbers()
  const slots = new Slots({ interval: "day", timeZone }, { filter })
  const visits = new Visits()
  let products = new Int32Array(0)
  const parts = divide(sizes, mostAtOnce)
  const clicks = new VisitorClicks(Math.max(0, ...parts.map((part) => clicksIn(part, sizes))))
  for (const part of parts) {
    clicks.open(part, sizes)
    yield* forEachMatch(
      chunks,
      filter,
      slots,
      (slice, rows, days, count) => {
        if (products.length < count) products = new Int32Array(rows.length)
        const column = codedOf(slice.chunk, "product_id")
        readAll(column, numbers.of(column), rows, products, count)
        clicks.add(slice, rows, products, days, slots.values, count)
      },
      { columns: ["product_id", "session"], partOf: (slice) => partOf(slice, part) }
    )
    let added = 0
    for (let group = part.first; group < part.end; group++) {
      visits.addGroup(clicks, group)
      added += sizes[group] as number
      if (added < clicksPerTurn) continue
      added = 0
      yield* turn
    }
  }
  return { visits, products: numbers.index }
})
