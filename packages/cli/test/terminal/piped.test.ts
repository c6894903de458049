import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { stage } from "../clicks/storedClicks.ts"
import { clicks, onTestDatabase } from "../clicks.ts"
import { commandLine, hasTerminals, inTerminal, shell } from "../terminal.ts"

const long = (what: string) => `${what}-${"x".repeat(120)}`
const one = '[{"product_id":"p-1","brand":"Green"}]'

describe("a table in a pipe or file", () => {
  it.live("has uncut cells", () =>
    Effect.gen(function* () {
      for (const [make, list, cell] of [
        [["keys", "create", "--user", long("user"), "--name", long("key")], ["keys", "list"], long("key")],
        [["origins", "add", "shop.example", "--name", long("origin")], ["origins", "list"], long("origin")],
        [["payloads", "put", long("store"), "-"], ["stores", "list"], long("store")],
        [
          ["tasks", "enqueue", "store-crawl", JSON.stringify({ store_id: long("task") })],
          ["tasks", "list"],
          long("task")
        ]
      ] as const) {
        const made = yield* clicks(make, { input: one })
        assert.strictEqual(made.code, 0, made.stderr)
        const { stdout } = yield* clicks(list)
        assert.include(stdout, cell)
        assert.notInclude(stdout, "…")
      }
    }).pipe(Effect.provide(stage))
  )

  it.live.skipIf(!hasTerminals)("is not followed by a count when it goes to a pager", () =>
    Effect.gen(function* () {
      yield* clicks(["import", "-"], { input: "product_id,action,source\np-1,view,web\n" })
      const env = yield* onTestDatabase
      const paged = `${commandLine(["list"])} | cat`.replaceAll("'", "'\\''")
      const { stdout } = yield* shell(`script -qec '${paged}' /dev/null < /dev/null`, {
        SHELL: "/bin/sh",
        ...env
      })
      assert.include(stdout, "p-1")
      assert.notInclude(stdout, "1 of 1 click")
      assert.include((yield* inTerminal(["list"], 80, env)).stdout, "1 of 1 click")
    }).pipe(Effect.provide(stage))
  )
})
