import type { Cut } from "@clicks/core/clicks/tiers/Cut"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ClickHouse } from "../../src/ClickHouse.ts"
import { countStatement } from "../../src/clicks/countClicks.ts"
import { clickHouse, withClickHouse } from "../chdb.ts"

const cut: Cut = { mark: 1, abandoned: [], expired: null, expiredIds: null, removedUntil: null, arrivals: "" }
const hour = 3_600_000

const counted = ["product_id", "store_id", "brand_id", "campaign_id", "action", "source"]

/** All subsets of these fields. */
const sets = Array.from({ length: 2 ** counted.length }, (_, bits) =>
  counted.filter((_, index) => (bits >> index) % 2 === 1)
)

withClickHouse(() => {
  layer(clickHouse, { timeout: "60 seconds", excludeTestServices: true })("countStatement", (it) => {
    it.effect("reads the named projection for every combination of filters", () =>
      Effect.gen(function* () {
        const { command, lines, table } = yield* ClickHouse
        yield* command(`insert into ${table}
          (attempt, id, product_id, action, source, store_id, brand_id, campaign_id, device_type, occurred_at, received_at)
          select 1, randomFixedString(16), toString(rand(1) % 50), toString(rand(2) % 9), toString(rand(3) % 9), toString(rand(4) % 50),
            toString(rand(5) % 50), toString(rand(6) % 50), 'desktop', 1000000000000 + number * 1000, 0 from numbers(100000)`)
        for (const fields of sets) {
          const filter = Object.fromEntries(fields.map((field) => [field, "7"]))
          const statement = countStatement(table, cut, filter, hour)
          const [, name] = statement.match(/preferred_optimize_projection_name = '(\w+)'/) ?? []
          const plan = yield* lines(`explain projections = 1 ${statement}`)
          const [read] = plan.filter((line) => line.includes("ReadFromMergeTree"))
          assert.include(read, `ReadFromMergeTree (${name})`, `filters: ${fields.join(", ")}`)
        }
      })
    )
  })
})
