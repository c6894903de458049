import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SpoolLog from "@clicks/sql-adapter/clicks/SpoolLog"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { append, spooledClicks } from "../../../core/test/contract/clicks/spooledClicks.ts"
import { canHaveSmallDisk, smallDisk } from "../../../sql-adapter/test/clicks/spool/smallDisk.ts"
import * as DatabaseProxy from "../../../sql-adapter/test/DatabaseProxy.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { bare, begin, Folder, folderLayer, outcomeOf } from "../clicks.ts"
import { runService } from "./runningService.ts"

const adminKey = "an-admin-key-for-the-tests"

// An empty database without a schema, behind a proxy that makes it unavailable.
const stage = Layer.merge(DatabaseProxy.layer.pipe(Layer.provideMerge(TestDatabase.layerEmpty)), folderLayer)

const surroundings = Effect.gen(function* () {
  const { url } = yield* DatabaseProxy.DatabaseProxy
  const { path } = yield* Folder
  return {
    DATABASE_URL: Redacted.value(url),
    CLICKS_DATA_DIR: join(path, `data-${Math.random()}`),
    CLICKS_ADMIN_KEY: adminKey,
    CLICKS_METRICS_PUBLIC: "true"
  }
})

const get = (url: string, path: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}${path}`, { headers: { "x-api-key": adminKey } })
    return { status: answer.status, text: await answer.text() }
  })

const listing = (url: string) =>
  Effect.map(get(url, "/api/events/product-clicks?limit=1000"), ({ text }) => JSON.parse(text))

/** Sends clicks and returns their receipts. */
const record = (url: string, count: number) =>
  Effect.promise(async () => {
    const answers = Array.from({ length: count }, async (_, index) => {
      const body = JSON.stringify({ product_id: `p-${index}`, action: "view", source: "web" })
      const headers = { "content-type": "application/json" }
      const answer = await fetch(`${url}/api/events/product-click`, { method: "POST", headers, body })
      return {
        answer: `${answer.status} ${answer.headers.get("click-receipt")}`,
        id: answer.headers.get("click-id")
      }
    })
    return Promise.all(answers)
  })

const spoolOf = (url: string) =>
  Effect.map(get(url, "/readyz"), ({ status, text }) => ({ status, spool: JSON.parse(text).checks.spool }))

/** Waits until the spool is empty and returns its state. */
const drained = (url: string) =>
  spoolOf(url).pipe(
    Effect.repeat({
      until: ({ spool, status }) => status === 200 && spool.depth === 0,
      schedule: Schedule.spaced("20 millis")
    })
  )

const idsOf = (clicks: ReadonlyArray<{ readonly id: string | null }>) => clicks.map(({ id }) => id).sort()

describe("a service whose database is down", () => {
  it.live("starts, spools clicks, survives SIGKILL, and stores each once when the database is back", () =>
    Effect.gen(function* () {
      const proxy = yield* DatabaseProxy.DatabaseProxy
      const env = yield* surroundings
      yield* proxy.stop
      const first = yield* runService(["serve"], env)
      const begun = Date.now()
      const early = yield* record(first.url, 300)
      assert.deepStrictEqual(new Set(early.map(({ answer }) => answer)), new Set(["200 spooled"]))

      const { spool, status } = yield* spoolOf(first.url)
      assert.strictEqual(status, 503)
      assert.deepInclude(spool, { status: "ok", usable: true, depth: 300, set_aside: 0 })
      assert.isAtLeast(Date.parse(spool.oldest), begun)
      assert.isAtMost(Date.parse(spool.oldest), Date.now())
      assert.isAbove(spool.bytes, 0)
      yield* get(first.url, "/metrics").pipe(
        Effect.repeat({
          until: ({ text }) =>
            /^clicks_spool_depth 300$/m.test(text) && /^clicks_spool_oldest_age_seconds [1-9]/m.test(text),
          schedule: Schedule.spaced("100 millis")
        })
      )

      assert.strictEqual((yield* get(first.url, "/api/events/product-clicks")).status, 500)
      first.child.kill("SIGKILL")
      const { stderr: log } = yield* Effect.promise(() => first.outcome)
      assert.match(
        log,
        /"Failed to fetch product click events" cause="ClickStoreError: .*ECONNREFUSED[^"]*"$/m
      )
      assert.notInclude(log, "file:///")
      const second = yield* runService(["serve"], env)
      const late = yield* record(second.url, 100)
      yield* proxy.start
      yield* drained(second.url)
      const { events, total } = yield* listing(second.url)
      assert.strictEqual(total, 400)
      assert.deepStrictEqual(idsOf(events), idsOf([...early, ...late]))
      yield* Effect.repeat(record(second.url, 1), { until: ([click]) => click?.answer === "200 stored" })

      second.child.kill("SIGTERM")
      const { code, stderr } = yield* Effect.promise(() => second.outcome)
      assert.strictEqual(code, 0)
      assert.lengthOf(stderr.match(/Spooling clicks until the database is ready/g) ?? [], 1)
      assert.lengthOf(stderr.match(/The database is ready/g) ?? [], 1)
    }).pipe(Effect.scoped, Effect.provide(stage))
  )

  it.live("stores each click once even if it is killed repeatedly while it drains the spool", () =>
    Effect.gen(function* () {
      const proxy = yield* DatabaseProxy.DatabaseProxy
      const env = yield* surroundings
      const clicks = spooledClicks(10_000)
      const directory = join(env.CLICKS_DATA_DIR, "spool")
      const spool = SpoolLog.layer({ directory, maxBytes: 1024 ** 3 })
      yield* Effect.forEach([0, 1], (half) => append(clicks.slice(half * 5000, (half + 1) * 5000))).pipe(
        Effect.provide(spool)
      )
      const sent = clicks.map(({ event }) => event.id)

      // Each append fills a segment.
      for (const left of [10_000, 5500, 500]) {
        const { child, outcome, url } = yield* runService(["serve"], env)
        yield* spoolOf(url).pipe(
          Effect.repeat({
            until: ({ spool }) => spool.depth <= left,
            schedule: Schedule.spaced("10 millis")
          })
        )
        yield* proxy.stop
        const [late] = yield* record(url, 1)
        assert.strictEqual(late?.answer, "200 spooled")
        sent.push(late?.id ?? "")
        child.kill("SIGKILL")
        yield* Effect.promise(() => outcome)
        yield* proxy.start
      }
      const { url } = yield* runService(["serve"], env)
      yield* drained(url)
      const exported = yield* get(url, "/api/events/product-clicks/export?format=ndjson")
      const stored = exported.text
        .trimEnd()
        .split("\n")
        .map((line): string => JSON.parse(line).id)
      assert.deepStrictEqual(stored.sort(), sent.sort())
    }).pipe(Effect.scoped, Effect.provide(stage))
  )

  it.live("starts when the database accepts connections but never responds", () =>
    Effect.gen(function* () {
      const proxy = yield* DatabaseProxy.DatabaseProxy
      const env = yield* surroundings
      yield* proxy.freeze
      const { url } = yield* runService(["serve"], env)
      const clicks = yield* record(url, 5)
      assert.deepStrictEqual(new Set(clicks.map(({ answer }) => answer)), new Set(["200 spooled"]))
      yield* proxy.start
      yield* drained(url)
      assert.deepStrictEqual(idsOf((yield* listing(url)).events), idsOf(clicks))
    }).pipe(Effect.scoped, Effect.provide(stage))
  )

  it.live("creates the first admin key when the database is back", () =>
    Effect.gen(function* () {
      const proxy = yield* DatabaseProxy.DatabaseProxy
      const { CLICKS_ADMIN_KEY: _, ...env } = yield* surroundings
      yield* proxy.stop
      const { adminKey: early, firstAdminKey, child, outcome, url } = yield* runService(["start"], env)
      assert.isNull(early)
      yield* proxy.start
      yield* drained(url)
      const key = yield* firstAdminKey
      const answer = yield* Effect.promise(() =>
        fetch(`${url}/api/events/product-clicks`, { headers: { "x-api-key": key } })
      )
      assert.strictEqual(answer.status, 200)
      child.kill("SIGTERM")
      assert.strictEqual((yield* Effect.promise(() => outcome)).code, 0)
    }).pipe(Effect.scoped, Effect.provide(stage))
  )

  it.live("does not start when the database rejects its credentials", () =>
    Effect.gen(function* () {
      const env = yield* surroundings
      const wrong = new URL(env.DATABASE_URL)
      // The tests' server does not ask its own roles for passwords.
      wrong.username = "unknown"
      const { path } = yield* Folder
      const isSlow = (text: string) => text.includes("is not ready after")
      // If the first connection takes longer than startup waits, the service keeps running, so the test tries again.
      const serve = Effect.promise(() => {
        const child = begin(["serve"], { ...env, PORT: "0", DATABASE_URL: wrong.href }, path)
        const outcome = outcomeOf(child)
        child.stderr?.on("data", (text: string) => void (isSlow(text) && child.kill("SIGKILL")))
        return outcome
      })
      const { code, stderr } = yield* Effect.repeat(serve, { until: ({ stderr }) => !isSlow(stderr) })
      assert.strictEqual(code, 1)
      assert.match(
        stderr,
        /^clicks: Cannot use the database \(DATABASE_URL\): password authentication failed/m
      )
    }).pipe(Effect.scoped, Effect.provide(stage))
  )
})

describe("clicks spool", () => {
  it.live.skipIf(!canHaveSmallDisk())(
    "is reported as unusable by readyz, metrics and commands while its disk is full",
    () =>
      Effect.gen(function* () {
        const disk = yield* smallDisk(16 * 1024 ** 2)
        const env = { ...(yield* surroundings), CLICKS_DATA_DIR: join(disk.path, "data") }
        const { url } = yield* runService(["serve"], env)
        const untilUsable = (usable: boolean) =>
          get(url, "/metrics").pipe(
            Effect.repeat({
              until: ({ text }) => text.includes(`\nclicks_spool_usable ${usable ? 1 : 0}\n`),
              schedule: Schedule.spaced("100 millis")
            })
          )
        yield* untilUsable(true)
        assert.deepInclude((yield* spoolOf(url)).spool, { usable: true, disk_full: false })

        const ballast = join(disk.path, "ballast")
        assert.throws(() => writeFileSync(ballast, new Uint8Array(17 * 1024 ** 2)), /ENOSPC/)
        yield* untilUsable(false)
        assert.deepInclude((yield* spoolOf(url)).spool, { usable: false, disk_full: true, depth: 0 })
        assert.match((yield* bare(["spool", "status"], env)).stdout, /^The disk is full: /m)
        const doctor = yield* bare(["doctor"], { ...env, PORT: "0" })
        assert.match(doctor.stdout, /^broken +spool .*its disk is full$/m)

        rmSync(ballast)
        yield* untilUsable(true)
      }).pipe(Effect.scoped, Effect.provide(stage))
  )

  it.live("shows, checks and drains the spool, even when it is damaged", () =>
    Effect.gen(function* () {
      const proxy = yield* DatabaseProxy.DatabaseProxy
      const env = yield* surroundings
      const nothing = yield* bare(["spool", "status"], env)
      assert.match(nothing.stdout, /^0 clicks waiting\n0 of 1,073,741,824 bytes/)
      assert.isFalse(existsSync(env.CLICKS_DATA_DIR))

      yield* proxy.stop
      const { child, outcome, url } = yield* runService(["serve"], env)
      const clicks = yield* record(url, 200)
      const status = JSON.parse((yield* bare(["spool", "status", "--json"], env)).stdout)
      assert.deepInclude(status, { depth: 200, set_aside: 0, directory: join(env.CLICKS_DATA_DIR, "spool") })
      const refused = yield* bare(["spool", "drain"], env)
      assert.strictEqual(refused.code, 1)
      assert.match(refused.stderr, /^clicks: Cannot use the database \(DATABASE_URL\): connect ECONNREFUSED/)
      child.kill("SIGTERM")
      assert.strictEqual((yield* Effect.promise(() => outcome)).code, 0)
      assert.match((yield* bare(["spool", "check"], env)).stdout, /^200 clicks waiting and readable\n$/)

      const directory = join(env.CLICKS_DATA_DIR, "spool")
      // Clicks that arrive slowly are in several segments.
      const [segment] = readdirSync(directory)
        .filter((name) => name.endsWith(".log"))
        .map((name) => ({ path: join(directory, name), bytes: readFileSync(join(directory, name)) }))
        .sort((a, b) => b.bytes.length - a.bytes.length)
      assert(segment !== undefined)
      writeFileSync(segment.path, segment.bytes.fill(0, 1000, 2000))
      const check = yield* bare(["spool", "check", "--json"], env)
      const { clicks: left, damaged, ok } = JSON.parse(check.stdout)
      assert.deepStrictEqual([check.code, ok, damaged.length], [1, false, 1])
      assert.strictEqual(damaged[0].lost, 200 - left)
      assert.isAbove(left, 190)

      yield* proxy.start
      const drain = yield* bare(["spool", "drain", "--json"], env)
      assert.deepStrictEqual([drain.code, JSON.parse(drain.stdout)], [0, { stored: left, left: 0 }])
      assert.match(drain.stderr, new RegExp(`was damaged: .* ${200 - left} clicks lost`))
      const doctor = yield* bare(["doctor"], { ...env, PORT: "0" })
      assert.match(
        doctor.stdout,
        /^warning +spool +0 clicks waiting.*1 damaged file set aside\n +Run "clicks spool check"/m
      )
      const listed = JSON.parse((yield* bare(["list", "--json", "--limit", "1000"], env)).stdout)
      assert.strictEqual(listed.total, left)
      assert.isEmpty(idsOf(listed.events).filter((id) => !idsOf(clicks).includes(id)))
    }).pipe(Effect.scoped, Effect.provide(stage))
  )
})
