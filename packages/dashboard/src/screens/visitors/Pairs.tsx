import { read } from "../../api/client.ts"
import type { AnswerOf } from "../../api/endpoints.ts"
import { useLoad } from "../../api/useLoad.ts"
import { Panel } from "../../parts/Panel.tsx"
import { Scroll } from "../../parts/Scroll.tsx"
import { Value } from "../../parts/Value.tsx"
import { scope } from "../../state/filters.ts"
import { count } from "../../state/format.ts"

type Answer = AnswerOf<"GET", "/api/analytics/pairs">

const limit = 20

const summaryOf = ({ pairs, total }: Answer): string => {
  const [first] = pairs
  const cut = total > pairs.length ? `, of which ${pairs.length} are shown` : ""
  return first === undefined
    ? ""
    : `${count(total)} ${total === 1 ? "pair" : "pairs"}${cut}. Most often: ${first.products[0]} with ${first.products[1]}, in ${count(first.visits)} ${first.visits === 1 ? "visit" : "visits"}.`
}

/** Products that were clicked in the same visit. */
export const Pairs = () => {
  const query = { ...scope.value, limit: String(limit) }
  const loaded = useLoad(`pairs ${JSON.stringify(query)}`, (signal) =>
    read("/api/analytics/pairs", query, signal)
  )
  return (
    <Panel
      title="Products clicked together"
      hint="in one visit"
      loaded={loaded}
      isTable
      isEmpty={({ pairs }) => pairs.length === 0}
      empty="No two products were clicked in one visit. Choose a longer range, or remove a filter."
      summary={summaryOf}
      table={({ pairs }) => ({
        titles: ["Product", "With", "Visits", "Visitors"],
        rows: pairs.map(({ products: [one = null, other = null], visitors, visits }) => [
          one,
          other,
          visits,
          visitors
        ])
      })}
    >
      {({ pairs }) => (
        <Scroll label="Products clicked together, table">
          <table class="ranking pairs">
            <thead>
              <tr>
                <th scope="col">Product</th>
                <th scope="col">With</th>
                <th scope="col" class="number">
                  Visits
                </th>
                <th scope="col" class="number">
                  Visitors
                </th>
              </tr>
            </thead>
            <tbody>
              {pairs.map(({ products: [one, other], visitors, visits }) => (
                <tr key={JSON.stringify([one, other])}>
                  <th scope="row">
                    <Value field="product_id" value={one} />
                  </th>
                  <td class="text">
                    <Value field="product_id" value={other} />
                  </td>
                  <td class="number">{count(visits)}</td>
                  <td class="number">{count(visitors)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Panel>
  )
}
