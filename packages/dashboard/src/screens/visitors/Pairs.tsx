import type { AnswerOf } from "../../api/endpoints.ts"
import { useRead } from "../../api/useLoad.ts"
import { Panel } from "../../parts/Panel.tsx"
import { type Column, number, type TableData } from "../../parts/Table.tsx"
import { Value } from "../../parts/Value.tsx"
import { scope } from "../../state/filters.ts"
import { count, quoted } from "../../state/format.ts"

type Answer = AnswerOf<"GET", "/api/analytics/pairs">
type Pair = Answer["pairs"][number]

const limit = 20

const summaryOf = ({ pairs, total }: Answer): string => {
  const [first] = pairs
  const cut = total > pairs.length ? `, ${pairs.length} shown` : ""
  return first === undefined
    ? ""
    : `${count(total)} ${total === 1 ? "pair" : "pairs"}${cut}. Most often: ${first.products.map(quoted).join(" with ")}, in ${count(first.visits)} ${first.visits === 1 ? "visit" : "visits"}.`
}

const product = (title: string, index: 0 | 1): Column<Pair> => ({
  title,
  class: "text",
  value: ({ products }) => products[index],
  show: ({ products }) => <Value field="product_id" value={products[index]} />
})

const columns: ReadonlyArray<Column<Pair>> = [
  product("Product", 0),
  product("With", 1),
  number("Visits", ({ visits }) => visits, count),
  number("Visitors", ({ visitors }) => visitors, count)
]

/** Products that were clicked in the same visit. */
export const Pairs = () => (
  <Panel
    title="Products clicked together"
    hint="in one visit"
    loaded={useRead("/api/analytics/pairs", { ...scope.value, limit: String(limit) })}
    empty="No two products were clicked in one visit. Choose a longer range, or remove a filter."
    summary={summaryOf}
    table={({ pairs }): TableData<Pair> => ({
      columns,
      rows: pairs,
      class: "ranking pairs",
      keyOf: ({ products }) => JSON.stringify(products)
    })}
  />
)
