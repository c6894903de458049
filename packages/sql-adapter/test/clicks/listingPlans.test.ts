import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import type { ListingPosition } from "@clicks/core/clicks/ClickQuery"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient, Statement } from "effect/sql"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import * as TestDatabase from "../TestDatabase.ts"

interface Plan {
  readonly "Node Type": string
  readonly "Index Name"?: string
  readonly Plans?: ReadonlyArray<Plan>
}

const nodes = (plan: Plan): ReadonlyArray<Plan> => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

const rows = 120_000

// 90 days; a hundred products, stores and so on with 1,200 clicks each, and one product with ten.
const fill = SqlClient.SqlClient.use((sql) =>
  sql`
    insert into clicks
      (id, product_id, action, source, store_id, brand_id, campaign_id, device_type, occurred_at, received_at)
    select gen_random_uuid(), case when n % 12000 = 0 then 'rare' else 'p-' || n % 100 end,
      case when n % 50 = 0 then 'compare' else 'view' end, 'source-' || n % 100, 's-' || n % 100, 'b-' || n % 100,
      'c-' || n % 100, 'desktop', timestamptz '2026-11-20' - n * interval '65 seconds', now()
    from generate_series(1, ${rows}) as n`.pipe(Effect.andThen(sql`analyze clicks`))
)

/** How the server answers the page of the very statement that `list` sends. */
const planOfPage = Effect.fnUntraced(function* (filter: ClickFilter, after?: ListingPosition) {
  const sql = yield* SqlClient.SqlClient
  const sent: Array<readonly [string, ReadonlyArray<unknown>]> = []
  const page = yield* ClickStore.use((store) =>
    store.list({ filter, limit: 100, offset: 0, ...(after && { after }) })
  ).pipe(
    Effect.provideService(Statement.CurrentTransformer, (statement) =>
      Effect.sync(() => {
        sent.push(statement.compile())
        return statement
      })
    )
  )
  assert.lengthOf(sent, 1)
  const [text = "", parameters = []] = sent[0] ?? []
  const [row] = yield* sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }> }>(
    `explain (format json) ${text}`,
    parameters
  )
  const limit = (row?.["QUERY PLAN"] ?? [])
    .flatMap(({ Plan }) => nodes(Plan))
    .find((node) => node["Node Type"] === "Limit")
  return { page, nodes: limit === undefined ? [] : nodes(limit) }
})

const day = { from: new Date("2026-10-01"), to: new Date("2026-10-02") }

const cases: ReadonlyArray<readonly [ClickFilter, index: string]> = [
  [{}, "clicks_in_listing_order"],
  [day, "clicks_in_listing_order"],
  [{ product_id: "p-7" }, "clicks_by_product_id"],
  [{ store_id: "s-7" }, "clicks_by_store_id"],
  [{ brand_id: "b-7" }, "clicks_by_brand_id"],
  [{ campaign_id: "c-7" }, "clicks_by_campaign_id"],
  [{ source: "source-7" }, "clicks_by_source"],
  [{ action: "compare" }, "clicks_by_action"],
  [{ product_id: "p-7", from: day.from }, "clicks_by_product_id"]
]

const store = Layer.merge(ClickStoreSql.layer, Layer.effectDiscard(fill)).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

layer(store, { excludeTestServices: true })(`listing ${rows} clicks`, (it) => {
  it.effect.each(cases)("by %o reads %s in its order", ([filter, index]) =>
    Effect.gen(function* () {
      const first = yield* planOfPage(filter)
      const after = first.page.events.at(-1)
      const next = yield* planOfPage(filter, after)
      for (const plan of [first, next]) {
        const types = plan.nodes.map((node) => node["Node Type"])
        assert.deepStrictEqual(types, ["Limit", "Index Scan"])
        assert.strictEqual(plan.nodes[1]?.["Index Name"], index)
      }
    })
  )

  it.effect("by a rare value reads that value's rows and no other", () =>
    Effect.gen(function* () {
      const { nodes, page } = yield* planOfPage({ product_id: "rare" })
      assert.strictEqual(page.total, 10)
      const used = nodes.flatMap((node) => node["Index Name"] ?? [])
      assert.deepStrictEqual(used, ["clicks_by_product_id"])
      assert.notInclude(
        nodes.map((node) => node["Node Type"]),
        "Seq Scan"
      )
    })
  )
})
