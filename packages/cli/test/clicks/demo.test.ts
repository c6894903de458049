import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { Quarantine } from "@clicks/core/clicks/recording/Quarantine"
import * as ClickRollup from "@clicks/sql-adapter/clicks/ClickRollup"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sampleRows } from "../../src/clicks/samples/sampleRows.ts"
import { clicks } from "../clicks.ts"
import { stage, stored } from "./storedClicks.ts"

const own = '{"product_id":"p-1","action":"view","source":"demo","campaign_id":"harvest-sale"}\n'

const totals = Effect.gen(function* () {
  const total = (filter: object) =>
    Effect.map(
      ClickStore.use((store) => store.list({ filter, limit: 1, offset: 0 })),
      (page) => page.total
    )
  return [yield* total({}), yield* total({ source: "demo", campaign_id: "harvest-sale" })] as const
})

const countAll = Effect.repeat(ClickRollup.rollUp(), { until: (rows) => rows === 0 })

const demo = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const { code, stderr, stdout } = yield* clicks(["demo", ...args, "--json"])
  assert.deepStrictEqual([code, stderr], [0, ""])
  return JSON.parse(stdout)
})

describe("clicks demo", () => {
  it.live("adds sample clicks once, and --remove deletes only these, with exact totals", () =>
    Effect.gen(function* () {
      const size = ["--clicks", "3000"]
      const { code, stderr } = yield* clicks(["demo", ...size, "--remove"])
      assert.deepStrictEqual([code, stderr], [0, "There are no sample clicks\n"])
      yield* clicks(["import", "-"], { input: own })
      assert.deepStrictEqual(yield* demo(...size, "--force"), { added: 3000, replaced: 0 })
      yield* countAll
      assert.deepStrictEqual(yield* demo(...size, "--force"), { added: 3000, replaced: 3000 })
      const [all, ofCampaign] = yield* totals
      assert.strictEqual(all, 3001)
      assert.isAbove(ofCampaign, 150)
      const samples = (yield* stored).filter(({ product_id }) => product_id !== "p-1")
      assert.isTrue(samples.every(({ source }) => source === "demo"))
      // Some visitors come back.
      const [visits, visitors] = [
        samples.map(({ session_id }) => session_id),
        samples.map(({ visitor_id }) => visitor_id)
      ].map((ids) => new Set(ids.filter((id) => id !== null)).size)
      assert.isAbove(visits ?? 0, 500)
      assert.isBelow(visitors ?? 0, (visits ?? 0) * 0.8)
      assert.isAbove(visitors ?? 0, (visits ?? 0) * 0.3)
      assert.strictEqual(yield* Quarantine.use((quarantine) => quarantine.count), 0)
      assert.deepStrictEqual(yield* demo("--remove"), { removed: 3000 })
      assert.deepStrictEqual(yield* totals, [1, 1])
      yield* countAll
      assert.deepStrictEqual(yield* totals, [1, 1])
      assert.deepStrictEqual(
        (yield* stored).map(({ product_id }) => product_id),
        ["p-1"]
      )
    }).pipe(Effect.provide(stage))
  )

  it.live("adds nothing to a database with other clicks without --force", () =>
    Effect.gen(function* () {
      yield* clicks(["import", "-"], { input: own })
      const { code, stderr } = yield* clicks(["demo"])
      assert.strictEqual(code, 1)
      assert.match(stderr, /^clicks: The database already has 1 click of your own.*--force/)
      assert.lengthOf(yield* stored, 1)
    }).pipe(Effect.provide(stage))
  )

  it.live("suggests commands to try, and rejects an invalid number of clicks", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* clicks(["demo", "--clicks", "10"])
      assert.strictEqual(code, 0)
      assert.match(stderr, /^Added 10 sample clicks of the last 30 days.*\n[\s\S]*clicks demo --remove\n$/)
      const invalid = yield* clicks(["demo", "--clicks", "0"])
      assert.strictEqual(invalid.code, 2)
      assert.include(invalid.stderr, "Expected a whole number from 1 to 200000.")
    }).pipe(Effect.provide(stage))
  )
})

const end = new Date("2026-11-22T18:00:00Z")
const rows = sampleRows(20_000, 1, end)

const countBy = <Key>(keys: ReadonlyArray<Key>) => {
  const counts = new Map<Key, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

describe("sample clicks", () => {
  it("are the same for the same seed, and differ for another seed", () => {
    // Chai takes 10 s to compare this many objects.
    assert.strictEqual(JSON.stringify(sampleRows(20_000, 1, end)), JSON.stringify(rows))
    const others = sampleRows(20_000, 2, end)
    assert.isAbove(others.filter((row, index) => row.product_id !== rows[index]?.product_id).length, 10_000)
  })

  it("are from the last 30 days, mostly in the evening and on Fridays", () => {
    const times = rows.map(({ occurred_at }) => Date.parse(String(occurred_at)))
    assert.deepStrictEqual(
      times,
      times.toSorted((a, b) => a - b)
    )
    assert.isAtLeast(times[0] ?? 0, end.getTime() - 30 * 86_400_000)
    assert.isAtMost(times.at(-1) ?? 0, end.getTime())
    const local = times.map((time) => new Date(time - 7 * 3_600_000))
    const hours = countBy(local.map((time) => time.getUTCHours()))
    assert.isAbove(hours.get(19) ?? 0, 10 * (hours.get(3) ?? 0))
    const weekdays = countBy(local.map((time) => time.getUTCDay()))
    assert.isAbove(weekdays.get(5) ?? 0, 1.3 * (weekdays.get(2) ?? 0))
  })

  it("have a few products that are viewed often, and some that are never opened", () => {
    const views = rows.filter(({ action }) => action === "view").map(({ product_id }) => product_id)
    const ranking = [...countBy(views)].toSorted(([, a], [, b]) => b - a)
    assert.strictEqual(ranking.length, 60)
    const top = ranking.slice(0, 10).reduce((sum, [, count]) => sum + count, 0)
    assert.isAbove(top, views.length * 0.4)
    const opened = new Set(
      rows.filter(({ action }) => action === "open_product").map((row) => row.product_id)
    )
    assert.isTrue(ranking.some(([product]) => !opened.has(product)))
  })

  it("come from visitors who return, view a product before they open it, and open it before they go to its store", () => {
    const daysOf = new Map<unknown, Set<string>>()
    const done = new Set<string>()
    const impossible: Array<unknown> = []
    const before = {
      view: "",
      compare: "view",
      other: "open_product",
      open_product: "view",
      open_store: "open_product"
    }
    for (const { action, ip_address, occurred_at, product_id } of rows) {
      const required = before[action as keyof typeof before]
      if (required !== "" && !done.has(`${ip_address} ${required} ${product_id}`)) impossible.push(action)
      done.add(`${ip_address} ${action} ${product_id}`)
      daysOf.set(ip_address, (daysOf.get(ip_address) ?? new Set()).add(String(occurred_at).slice(0, 10)))
    }
    assert.deepStrictEqual(impossible, [])
    const returning = [...daysOf.values()].filter((days) => days.size > 1)
    assert.isAbove(returning.length, daysOf.size / 10)
    assert.isBelow(returning.length, daysOf.size / 2)
  })
})
