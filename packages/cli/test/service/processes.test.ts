import { execFileSync } from "node:child_process"
import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { KnownMetrics } from "../../src/service/KnownMetrics.ts"
import { mergeMetrics } from "../../src/service/mergeMetrics.ts"
import { bare, clicks, folderLayer, onTestDatabase } from "../clicks.ts"
import { runService } from "./runningService.ts"

const stage = Layer.mergeAll(TestDatabase.layerEmpty, folderLayer)

const childrenOf = (pid: number | undefined): ReadonlyArray<number> => {
  const table = execFileSync("ps", ["-A", "-o", "ppid=,pid="], { encoding: "utf8" })
  return table
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([parent, child]) => (parent === pid && child !== undefined ? [child] : []))
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

// Each on a connection of its own, so that they spread over the processes.
const record = (url: string, count: number) =>
  Effect.forEach(
    Array.from({ length: count }),
    () =>
      Effect.promise(async () => {
        const answer = await fetch(`${url}/api/events/product-click`, {
          method: "POST",
          headers: { "content-type": "application/json", connection: "close" },
          body: JSON.stringify({ product_id: "p-1", action: "view", source: "web" })
        })
        return answer.headers.get("click-receipt")
      }),
    { concurrency: 10 }
  )

const storedByMetrics = (url: string) =>
  Effect.promise(async () => {
    const text = await (await fetch(`${url}/metrics`, { headers: { connection: "close" } })).text()
    return Number(/^clicks_recorded_total\{receipt="stored"\} (\d+)$/m.exec(text)?.[1])
  })

describe("clicks serve --processes", () => {
  it.live("serves from all, tells the metrics of all, replaces one that dies, and stops as one", () =>
    Effect.gen(function* () {
      const env = {
        ...(yield* onTestDatabase),
        CLICKS_METRICS_PUBLIC: "true",
        CLICKS_RETENTON_DAYS: "30"
      }
      const { child, outcome, url } = yield* runService(["serve", "--processes", "2"], env)
      const first = childrenOf(child.pid)
      assert.lengthOf(first, 2)

      assert.deepStrictEqual(new Set(yield* record(url, 60)), new Set(["stored"]))
      // One that is too busy to tell in time is counted as it was last.
      const untilStored = (stored: number) =>
        Effect.repeat(storedByMetrics(url), { until: (count) => count === stored })
      for (let look = 0; look < 4; look++) yield* untilStored(60)

      const [killed = 0, other = 0] = first
      process.kill(killed, "SIGKILL")
      const untilWithout = (gone: number) =>
        Effect.sync(() => childrenOf(child.pid)).pipe(
          Effect.repeat({
            until: (now) => now.length === 2 && !now.includes(gone),
            schedule: Schedule.spaced("50 millis")
          })
        )
      const second = yield* untilWithout(killed)
      assert.include(second, other)
      assert.deepStrictEqual(new Set(yield* record(url, 20)), new Set(["stored"]))
      // What the killed one has counted stays.
      for (let look = 0; look < 4; look++) yield* untilStored(80)

      // So does what one has counted that was stopped before anybody asked.
      yield* record(url, 40)
      process.kill(other, "SIGTERM")
      const third = yield* untilWithout(other)
      for (let look = 0; look < 4; look++) yield* untilStored(120)

      child.kill("SIGTERM")
      const { code, stderr, stdout } = yield* Effect.promise(() => outcome)
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(third.filter(isAlive), [])
      assert.lengthOf(stdout.trim().split("\n"), 1, "the address is told once")
      assert.include(stderr, `Process ${killed} of the service has ended`)
      assert.lengthOf(stderr.match(/no setting CLICKS_RETENTON_DAYS/g) ?? [], 1, stderr)
    }).pipe(Effect.scoped, Effect.provide(stage))
  )

  it.live("ends with 1 and says why, once, when the port is taken", () =>
    Effect.gen(function* () {
      const taken = yield* Effect.acquireRelease(
        Effect.promise<ReturnType<typeof createServer>>(
          () =>
            new Promise((resolve) => {
              const server = createServer().listen(0, "127.0.0.1", () => resolve(server))
            })
        ),
        (server) => Effect.sync(() => server.close())
      )
      const address = taken.address()
      const port = typeof address === "object" ? String(address?.port) : ""
      const { code, stderr } = yield* clicks(["serve", "--processes", "3"], { env: { PORT: port } })
      assert.strictEqual(code, 1)
      assert.lengthOf(stderr.match(/another process does/g) ?? [], 1, stderr)
    }).pipe(Effect.scoped, Effect.provide(stage))
  )

  it.live("takes a number of processes", () =>
    Effect.gen(function* () {
      for (const count of ["0", "two"]) {
        const { code, stderr } = yield* bare(["serve", "--processes", count])
        assert.deepStrictEqual(
          [code, stderr],
          [2, "clicks: --processes takes a whole number from 1 to 999\n"]
        )
      }
    }).pipe(Effect.provide(folderLayer))
  )
})

describe("metrics of several processes", () => {
  it("add up what is counted, and keep the largest of a gauge", () => {
    const one =
      '# HELP a_total Of a\n# TYPE a_total counter\na_total{k="x y"} 2\na_total{k="z"} 1\n# TYPE depth gauge\ndepth 7\n'
    const two =
      '# TYPE depth gauge\ndepth 3\n# HELP a_total Of a\n# TYPE a_total counter\na_total{k="x y"} 40\n'
    assert.strictEqual(
      mergeMetrics([one, two]),
      '# HELP a_total Of a\n# TYPE a_total counter\na_total{k="x y"} 42\na_total{k="z"} 1\n# TYPE depth gauge\ndepth 7\n'
    )
    assert.strictEqual(mergeMetrics(["", ""]), "")
  })

  it("keep what one has counted when it has ended, and forget its gauges", () => {
    const text = (count: number, depth: number) =>
      `# TYPE a_total counter\na_total ${count}\n# TYPE depth gauge\ndepth ${depth}\n`
    const known = new KnownMetrics()
    known.said(1, text(5, 9))
    known.said(2, text(10, 3))
    known.said(1, text(6, 9))
    assert.strictEqual(known.all, text(16, 9))
    known.ended(1)
    assert.strictEqual(known.all, text(16, 3))
    known.said(3, text(1, 2))
    known.ended(2)
    known.ended(4)
    assert.strictEqual(known.all, text(17, 2))
  })
})
