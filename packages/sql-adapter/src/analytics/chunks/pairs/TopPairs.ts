import type { Visits } from "./Visits.ts"

/** The other products in visits with a given product. */
export class Partners {
  readonly visits: Int32Array
  readonly visitors: Int32Array
  /** The products, in any order. The first `size` are used. */
  readonly products: Int32Array
  size = 0
  readonly #last: Int32Array

  constructor(products: number) {
    this.visits = new Int32Array(products)
    this.visitors = new Int32Array(products)
    this.products = new Int32Array(products)
    this.#last = new Int32Array(products)
  }

  /** Adds some visits with a product, in order. Counts their products from `from` on. */
  add(visits: Visits, added: Int32Array, product: number, from: number): void {
    const { products } = visits
    for (const visit of added) {
      const visitor = visits.visitor(visit)
      const end = visits.start(visit + 1)
      for (let at = visits.start(visit); at < end; at++) {
        const other = products[at] as number
        if (other < from || other === product) continue
        ;(this.visits[other] as number)++
        if (this.#last[other] === visitor) continue
        if (this.#last[other] === 0) this.products[this.size++] = other
        this.#last[other] = visitor
        ;(this.visitors[other] as number)++
      }
    }
  }

  clear(): void {
    for (let at = 0; at < this.size; at++) {
      const product = this.products[at] as number
      this.visits[product] = 0
      this.visitors[product] = 0
      this.#last[product] = 0
    }
    this.size = 0
  }
}

interface Pair {
  readonly products: readonly [number, number]
  readonly visits: number
  readonly visitors: number
}

const inOrder = (a: Pair, b: Pair): number =>
  b.visits - a.visits || a.products[0] - b.products[0] || a.products[1] - b.products[1]

/** The top `limit` pairs: most visits first, then in the order of products. */
export class TopPairs {
  total = 0
  readonly #limit: number
  #least = 0
  #pairs: Array<Pair> = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Adds the pairs of a product. Products are added in order, so a pair with as many visits as the last of the top pairs comes after it.
   */
  add(product: number, { products, size, visitors, visits }: Partners): void {
    this.total += size
    for (let at = 0; at < size; at++) {
      const other = products[at] as number
      const count = visits[other] as number
      if (count <= this.#least) continue
      this.#pairs.push({
        products: product < other ? [product, other] : [other, product],
        visits: count,
        visitors: visitors[other] as number
      })
    }
    if (this.#pairs.length > 2 * this.#limit) this.#cut()
  }

  get pairs(): ReadonlyArray<Pair> {
    this.#cut()
    return this.#pairs
  }

  #cut(): void {
    this.#pairs = this.#pairs.sort(inOrder).slice(0, this.#limit)
    if (this.#pairs.length === this.#limit) this.#least = this.#pairs.at(-1)?.visits ?? 0
  }
}
