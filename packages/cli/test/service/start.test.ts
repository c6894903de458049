import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { bare, Folder, folderLayer } from "../clicks.ts"
import { runService } from "./runningService.ts"

const record = (url: string) =>
  Effect.promise(() =>
    fetch(`${url}/api/events/product-click`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ product_id: "p-1", action: "view", source: "web" })
    })
  )

/** Logs in with the token of a one-time link. */
const logIn = (url: string, link: string) =>
  Effect.promise(async () => {
    const headers = { "content-type": "application/json", "x-clicks-page": "1" }
    const body = JSON.stringify({ link })
    return (await fetch(`${url}/api/session`, { method: "POST", headers, body })).json()
  })

/** Waits until the listing has one click, because a database that has just started accepts connections late. */
const untilListed = (url: string, key: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}/api/events/product-clicks`, {
      headers: { authorization: `Bearer ${key}` }
    })
    const page: unknown = await answer.json()
    return typeof page === "object" && page !== null && "total" in page && page.total === 1
  }).pipe(Effect.repeat({ until: (isListed) => isListed, schedule: Schedule.spaced("20 millis") }))

describe("clicks start", () => {
  it.live(
    "runs the embedded database, creates an admin key once, and shares the database with commands",
    () =>
      Effect.gen(function* () {
        const { path } = yield* Folder
        const env = { CLICKS_DATA_DIR: join(path, "data") }
        const key = yield* Effect.gen(function* () {
          const misspelt = { CLICKS_RETENTON_DAYS: "30" }
          const { child, firstAdminKey, loginLink, outcome, url } = yield* runService(["start"], {
            ...env,
            ...misspelt
          })
          const adminKey = yield* firstAdminKey
          assert.match(adminKey, /^clk_/)
          const [, link = ""] = (yield* loginLink).split("#login=")
          assert.deepInclude(yield* logIn(url, link), { user_id: "admin", role: "admin" })
          const answer = yield* record(url)
          assert.strictEqual(answer.status, 200)
          assert.oneOf(answer.headers.get("click-receipt"), ["stored", "spooled"])
          yield* untilListed(url, adminKey)

          const listed = yield* bare(["list", "--json"], env)
          assert.strictEqual(JSON.parse(listed.stdout).total, 1, listed.stderr)
          const port = new URL(url).port
          const second = yield* bare(["start"], { ...env, PORT: port })
          assert.strictEqual(second.code, 1)
          assert.match(
            second.stderr,
            /clicks: Cannot listen on 127\.0\.0\.1:\d+: the port is in use[^\n]*\n$/
          )
          const health = yield* bare(["doctor", "--json"], { ...env, PORT: port })
          const { checks, ok } = JSON.parse(health.stdout)
          assert.isTrue(ok, health.stdout)
          assert.include(
            checks.map((check: { readonly detail: string }) => check.detail),
            `Clicks is running on 127.0.0.1:${port}`
          )

          child.kill("SIGINT")
          const { code, stderr } = yield* Effect.promise(() => outcome)
          assert.strictEqual(code, 0)
          assert.lengthOf(
            stderr.match(/the unknown setting CLICKS_RETENTON_DAYS\. Did you mean CLICKS_RETENTION_DAYS/g) ??
              [],
            1,
            stderr
          )
          return adminKey
        }).pipe(Effect.scoped)

        const again = yield* runService(["start"], env)
        assert.isNull(again.adminKey)
        yield* untilListed(again.url, key)
      }).pipe(Effect.scoped, Effect.provide(folderLayer))
  )

  it.live("is not required before an import, which reports the new database", () =>
    Effect.gen(function* () {
      const env = { CLICKS_DATA_DIR: join((yield* Folder).path, "elsewhere") }
      writeFileSync(join((yield* Folder).path, "one.csv"), "product_id,action,source\np-1,view,web\n")
      const first = yield* bare(["import", "one.csv"], env)
      assert.include(
        first.stderr,
        `clicks: Created a new, empty database (embedded, in ${env.CLICKS_DATA_DIR})\n`
      )
      assert.strictEqual((yield* bare(["list"], env)).stderr, "1 of 1 click\n")
    }).pipe(Effect.provide(folderLayer))
  )

  it.live.each(["serve", "worker"])("is not required: clicks %s creates the database", (command) =>
    Effect.gen(function* () {
      const { path } = yield* Folder
      yield* runService([command], { CLICKS_DATA_DIR: path })
      assert.include(readdirSync(path), "postgres")
    }).pipe(Effect.scoped, Effect.provide(folderLayer))
  )

  it.live("is not required: clicks keys create creates the database", () =>
    Effect.gen(function* () {
      const { path } = yield* Folder
      const { code, stderr } = yield* bare(["keys", "create", "--user", "anna", "--role", "reader"], {
        CLICKS_DATA_DIR: path
      })
      assert.strictEqual(code, 0, stderr)
      assert.include(readdirSync(path), "postgres")
    }).pipe(Effect.provide(folderLayer))
  )

  it.live("is required before commands that only read, which do not create a database", () =>
    Effect.gen(function* () {
      const { path } = yield* Folder
      const folder = join(path, ".clicks")
      for (const args of [["list"], ["stats"], ["export"], ["keys", "list"], ["tasks", "list"], ["tail"]]) {
        const { code, stderr, stdout } = yield* bare(args)
        assert.deepStrictEqual([code, stdout], [1, ""])
        assert.strictEqual(
          stderr,
          `clicks: There is no database in ${folder}. Create one with "clicks start", or set CLICKS_DATA_DIR or DATABASE_URL to an existing one\n`
        )
      }
      const { code, stdout } = yield* bare(["doctor"], { PORT: "0" })
      assert.match(stdout, /^warning +database +none in .*\n +Create one with "clicks start"/m)
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(readdirSync(path), [])
    }).pipe(Effect.provide(folderLayer))
  )
})
