import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { withClickHouse } from "../../../clickhouse-adapter/test/chdb.ts"
import { makeServer } from "../../../clickhouse-adapter/test/faultyClickHouse.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { clicks, type Environment, folderLayer } from "../clicks.ts"

const tables = ["clicks", "click_ledger", "click_archive_attempts", "click_archive"]

const all = (statements: ReadonlyArray<string>) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  )

const backUp = all(tables.map((table) => `create table backup_${table} as table ${table}`))
const restore = all([
  ...tables.map((table) => `delete from ${table}`),
  // Restoring the clicks makes the trigger insert some rows, so conflicts are ignored.
  ...tables.map((table) => `insert into ${table} table backup_${table} on conflict do nothing`)
])

/** The output of the command. */
const outputOf = Effect.fnUntraced(function* (env: Environment, args: ReadonlyArray<string>, input = "") {
  const { code, stderr, stdout } = yield* clicks(args, { env, input })
  assert.strictEqual(code, 0, stderr)
  return stdout
})

const refusalOf = (env: Environment, args: ReadonlyArray<string>) =>
  Effect.map(clicks(args, { env }), ({ code, stderr }) => {
    assert.strictEqual(code, 1)
    return stderr
  })

const store = Effect.fnUntraced(function* (env: Environment, product: string, count: number) {
  const rows = Array.from({ length: count }, (_, n) => ({
    product_id: product,
    action: "view",
    source: "web",
    occurred_at: `2026-11-20T10:00:0${n}Z`
  }))
  yield* outputOf(env, ["import", "-"], rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
})

const total = (env: Environment) =>
  Effect.map(outputOf(env, ["list", "--json"]), (text): number => JSON.parse(text).total)

const database = Layer.merge(TestDatabase.layer, folderLayer)

withClickHouse(() => {
  layer(database, { excludeTestServices: true, timeout: "120 seconds" })("clicks archive adopt", (it) => {
    it.effect("takes back the clicks that an older backup lacks, and counts each once", () =>
      Effect.gen(function* () {
        const env = { CLICKHOUSE_URL: (yield* makeServer).url }
        const move = outputOf(env, ["archive", "move"])
        yield* store(env, "moved", 3)
        yield* move
        yield* store(env, "waiting", 2)
        yield* backUp
        yield* move
        yield* store(env, "later", 4)
        yield* move
        assert.strictEqual(yield* total(env), 9)

        yield* restore
        assert.match(
          yield* refusalOf(env, ["list"]),
          /holds clicks that this PostgreSQL database has not moved/
        )
        const adopted = yield* outputOf(env, ["archive", "adopt", "--json"])
        assert.deepStrictEqual(JSON.parse(adopted), { taken_back: 4 })
        assert.strictEqual(yield* total(env), 9)
        yield* move
        yield* outputOf(env, ["archive", "verify"])
        assert.strictEqual(yield* total(env), 9)
        yield* store(env, "later", 4)
        assert.strictEqual(yield* total(env), 9)

        // The table as the original database leaves it after moving clicks, and as an unrelated database does.
        const ownedBy = (owner: string) =>
          Effect.promise(() =>
            fetch(env.CLICKHOUSE_URL, {
              method: "POST",
              body: `alter table clicks.clicks modify comment '${owner}'`
            })
          )
        const [{ id } = { id: "" }] = yield* SqlClient.SqlClient.use(
          (sql) => sql<{ readonly id: string }>`select id::text as id from click_archive`
        )
        yield* ownedBy(`${id} 1/2`)
        assert.match(yield* refusalOf(env, ["list"]), /was last used by another copy/)
        yield* outputOf(env, ["archive", "adopt"])
        assert.strictEqual(yield* total(env), 9)
        yield* ownedBy("another 1/2")
        assert.match(yield* refusalOf(env, ["archive", "adopt"]), /which this one is not a copy of/)
      })
    )
  })
})
