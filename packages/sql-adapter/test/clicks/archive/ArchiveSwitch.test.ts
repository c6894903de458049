import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as ArchiveSwitch from "../../../src/clicks/archive/ArchiveSwitch.ts"
import * as ClickRollup from "../../../src/clicks/ClickRollup.ts"
import { click, insert } from "../someClicks.ts"
import { hotIds, ids, move, unpreparedLayer } from "./hotStore.ts"

layer(unpreparedLayer, { excludeTestServices: true })("ArchiveSwitch", (it) => {
  const indexes = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly name: string }>`
      select indexrelid::regclass::text as name from pg_index where indrelid = 'clicks'::regclass`
    return rows.map(({ name }) => name).toSorted()
  })
  const total = (filter: { readonly product_id?: string }) =>
    Effect.map(
      ClickStore.use((store) => store.list({ filter, limit: 1, offset: 0 })),
      (page) => page.total
    )

  it.effect("drops indexes and counts once a database with clicks has caught up; totals stay exact", () =>
    Effect.gen(function* () {
      yield* insert(...Array.from({ length: 300 }, (_, n) => click({ product_id: n % 3 === 0 ? "a" : "b" })))
      yield* Effect.repeat(ClickRollup.rollUp(), { until: (rows) => rows === 0 })
      yield* ArchiveSwitch.enable
      yield* ArchiveSwitch.shrink
      assert.include(yield* indexes, "clicks_by_action")
      assert.isFalse(yield* ArchiveSwitch.isRequired)
      assert.strictEqual(yield* move, 300)
      assert.isTrue(yield* ArchiveSwitch.isRequired)
      yield* ArchiveSwitch.shrink
      yield* ArchiveSwitch.shrink
      assert.deepStrictEqual(yield* indexes, ["clicks_by_arrival", "clicks_pkey"])
      assert.strictEqual(yield* ClickRollup.rollUp(), 0)
      assert.deepStrictEqual([yield* total({}), yield* total({ product_id: "a" })], [300, 100])
      yield* insert(click({ product_id: "a" }))
      assert.deepStrictEqual([yield* total({}), yield* total({ product_id: "a" })], [301, 101])
    })
  )

  it.effect("distinguishes moved clicks from others after a dump is restored in another cluster", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* move
      const waiting = [click(), click()]
      yield* insert(...waiting)
      // Simulates a restored dump: the numbers are those of another cluster, which had counted further.
      yield* sql`update clicks set arrival = (arrival::text::bigint + 1000000)::text::xid8`
      yield* sql`
        update click_archive set system = 'another', mark = (
          select format('%1$s:%1$s:', max(arrival::text::bigint) + 1) from clicks
          where not ${sql.in("id", ids(waiting))})::pg_snapshot`
      yield* ArchiveSwitch.enable
      const after = click()
      yield* insert(after)
      assert.deepStrictEqual(yield* hotIds, ids([...waiting, after]))
      assert.strictEqual(yield* move, 3)
      assert.deepStrictEqual(yield* hotIds, [])
    })
  )
})
