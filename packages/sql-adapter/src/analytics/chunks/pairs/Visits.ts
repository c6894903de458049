import { maxProducts } from "@clicks/core/analytics/ProductPairs"
import { doubled } from "../PairIndex.ts"
import { type VisitorClicks, visitorsPerGroup } from "./VisitorClicks.ts"

// For longer runs, sorting a separate array of positions is faster.
const mostInserted = 256

/** Orders clicks by visit, then by product. */
const sortClicks = (visits: Float64Array, products: Int32Array, count: number): void => {
  if (count > mostInserted) {
    const order = Uint32Array.from({ length: count }, (_, at) => at).sort(
      (a, b) =>
        (visits[a] as number) - (visits[b] as number) || (products[a] as number) - (products[b] as number)
    )
    visits.set(Float64Array.from(order, (at) => visits[at] as number))
    products.set(Int32Array.from(order, (at) => products[at] as number))
    return
  }
  for (let sorted = 1; sorted < count; sorted++) {
    const [visit, product] = [visits[sorted] as number, products[sorted] as number]
    let at = sorted
    for (; at > 0; at--) {
      const before = visits[at - 1] as number
      if (before < visit || (before === visit && (products[at - 1] as number) <= product)) break
      visits[at] = before
      products[at] = products[at - 1] as number
    }
    visits[at] = visit
    products[at] = product
  }
}

/** Visits with clicks on several products. The visits of a visitor are consecutive. */
export class Visits {
  /** The products of the first visit, then those of the second, and so on. */
  products = new Int32Array(1024)
  /** The total number of these products. */
  end = 0
  size = 0
  /** The number of visits with more than `maxProducts` products, which are omitted. */
  skipped = 0
  #starts = new Int32Array(1024)
  #visitors = new Int32Array(1024)
  readonly #places = new Int32Array(visitorsPerGroup + 1)
  #order = new Int32Array(0)
  // Of the clicks of a visitor.
  #visits = new Float64Array(0)
  #products = new Int32Array(0)

  /** The positions of the products of a visit: the first, and the one after the last. */
  start(visit: number): number {
    return visit === this.size ? this.end : (this.#starts[visit] as number)
  }

  visitor(visit: number): number {
    return this.#visitors[visit] as number
  }

  /** Adds the visits of a group of visitors. */
  addGroup(clicks: VisitorClicks, group: number): void {
    const [first, end] = clicks.positionsOf(group)
    const order = this.#byVisitor(clicks, first, end)
    let at = 0
    for (let digit = 0; digit < visitorsPerGroup; digit++) {
      const next = this.#places[digit] as number
      if (next - at > 1) this.#addVisitor(clicks, group * visitorsPerGroup + digit, order, at, next)
      at = next
    }
  }

  /** The positions of clicks in the order of their visitors. Afterwards, `#places` contains the end of each visitor. */
  #byVisitor({ digits }: VisitorClicks, first: number, end: number): Int32Array {
    if (this.#order.length < end - first) this.#order = new Int32Array(end - first)
    const [order, places] = [this.#order, this.#places]
    places.fill(0)
    for (let at = first; at < end; at++) (places[(digits[at] as number) + 1] as number)++
    for (let place = 1; place <= visitorsPerGroup; place++)
      places[place] = (places[place] as number) + (places[place - 1] as number)
    for (let at = first; at < end; at++) {
      const digit = digits[at] as number
      const place = places[digit] as number
      order[place] = at
      places[digit] = place + 1
    }
    return order
  }

  #addVisitor(clicks: VisitorClicks, visitor: number, order: Int32Array, first: number, end: number): void {
    const count = end - first
    if (this.#visits.length < count) {
      this.#visits = new Float64Array(2 * count)
      this.#products = new Int32Array(2 * count)
    }
    const [visits, products] = [this.#visits, this.#products]
    let [last, isSpread] = [Number.NEGATIVE_INFINITY, true]
    for (let at = 0; at < count; at++) {
      const position = order[first + at] as number
      const visit = clicks.visits[position] as number
      isSpread &&= visit > last
      last = visit
      visits[at] = visit
      products[at] = clicks.products[position] as number
    }
    // Clicks are mostly in the order of time, and most visitors click once a day.
    if (isSpread) return
    sortClicks(visits, products, count)
    for (let start = 0; start < count; ) {
      let next = start + 1
      while (next < count && visits[next] === visits[start]) next++
      if (next - start > 1) this.#addVisit(visitor, products, start, next)
      start = next
    }
  }

  /** Adds a visit. Its products are in order and may be repeated. */
  #addVisit(visitor: number, products: Int32Array, first: number, next: number): void {
    const start = this.end
    if (start + next - first > this.products.length)
      this.products = doubled(this.products, start + next - first)
    let end = start
    for (let at = first; at < next; at++)
      if (at === first || products[at] !== products[at - 1]) this.products[end++] = products[at] as number
    if (end - start > maxProducts) this.skipped++
    if (end - start === 1 || end - start > maxProducts) return
    if (this.size === this.#starts.length) {
      this.#starts = doubled(this.#starts, this.size)
      this.#visitors = doubled(this.#visitors, this.size)
    }
    this.#starts[this.size] = start
    this.#visitors[this.size++] = visitor
    this.end = end
  }
}
