import { Effect, Redacted } from "effect"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import * as Database from "./src/Database.ts"
import * as ClickStoreSql from "./src/clicks/ClickStoreSql.ts"
import { Layer } from "effect"
const make = (db: string) => Layer.provide(ClickStoreSql.layer, Database.layer({ url: Redacted.make(`postgres://postgres@127.0.0.1:55432/${db}`), maxConnections: 2 }))
const range = { from: new Date("2026-08-12T03:14:15.926Z"), to: new Date("2026-11-19T21:07:13Z") }
const wide = { from: new Date("2024-05-12T03:14:15.926Z"), to: new Date("2026-11-10T21:07:13Z") }
const f: Array<[string, any, number]> = []
const singles: Array<[string, any]> = [["none", {}], ["action=view", { action: "view" }], ["action=compare", { action: "compare" }], ["source=web", { source: "web" }], ["store", { store_id: "s-17" }], ["brand", { brand_id: "b-3" }], ["campaign", { campaign_id: "c-9" }], ["product freq", { product_id: "p-0" }], ["product rare", { product_id: "p-15000" }], ["unknown", { store_id: "nix" }]]
for (const [n, x] of singles) { f.push([n, x, 0]); f.push([n + " 100d", { ...x, ...range }, 0]); f.push([n + " 900d", { ...x, ...wide }, 0]) }
for (const [n, x] of [["store+action", { store_id: "s-17", action: "view" }], ["store+action 100d", { store_id: "s-17", action: "view", ...range }], ["source+action", { source: "web", action: "view" }], ["source+action 900d", { source: "web", action: "view", ...wide }], ["product+action", { product_id: "p-0", action: "view" }], ["product+store", { product_id: "p-0", store_id: "s-17" }], ["store+source", { store_id: "s-17", source: "web" }], ["brand+source", { brand_id: "b-3", source: "web" }], ["brand+campaign", { brand_id: "b-3", campaign_id: "c-9" }],["store+campaign", { store_id: "s-17", campaign_id: "c-9" }], ["campaign+source", { campaign_id: "c-9", source: "app" }]] as Array<[string, any]>) f.push([n, x, 0])
f.push(["offset 500k", {}, 500_000], ["offset 1M-50 of view", { action: "view" }, 590_000], ["offset 999,900", {}, 999_900])
f.push(["offset 1M", {}, 1_000_000], ["offset 1M view", {action:"view"}, 1_000_000], ["offset last page", {}, 9_999_900])
const dbs = process.argv.slice(2)
const runs = 15
await Effect.runPromise(Effect.gen(function* () {
  const stores: Array<any> = []
  for (const d of dbs) stores.push(yield* Effect.gen(function* () { return yield* ClickStore }).pipe(Effect.provide(yield* Layer.build(make(d)))))
  for (const [name, filter, offset] of f) {
    const cells: Array<string> = []
    const ms: Array<Array<number>> = dbs.map(() => [])
    let total: Array<number> = []
    for (let i = 0; i < runs; i++) for (let d = 0; d < dbs.length; d++) {
      const t = performance.now()
      const page: any = yield* stores[d].list({ filter, limit: 100, offset })
      ms[d]!.push(performance.now() - t); total[d] = page.total
    }
    const med = ms.map((m) => m.sort((a, b) => a - b)[runs >> 1]!)
    for (let d = 0; d < dbs.length; d++) cells.push(`${dbs[d]} ${total[d]} p50 ${med[d]!.toFixed(1)} (${ms[d]![0]!.toFixed(1)}–${ms[d]!.at(-1)!.toFixed(1)})`)
    console.log(name.padEnd(22), cells.join("  |  "), med.length > 1 ? `  ratio ${(med[1]! / med[0]!).toFixed(2)}` : "")
  }
}).pipe(Effect.scoped) as any)
