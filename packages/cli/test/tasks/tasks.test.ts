import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { clicks, folderLayer } from "../clicks.ts"

interface Listed {
  readonly id: string
  readonly state: string
  readonly payload: unknown
  readonly priority: number
  readonly run_at: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const run = (...args: ReadonlyArray<string>) => clicks(args)

const json = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const { code, stderr, stdout } = yield* run(...args, "--json")
  assert.deepStrictEqual([code, stderr], [0, ""])
  return JSON.parse(stdout)
})

layer(Layer.merge(TestDatabase.layer, folderLayer), { excludeTestServices: true })("clicks tasks", (it) => {
  it.effect("discover queues a task per state and prints them", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* run(
        "tasks",
        "discover",
        "AZ",
        "ca",
        "--stagger-seconds",
        "3600"
      )
      assert.strictEqual(code, 0, stderr)
      assert.match(stderr, /^Batch [0-9a-f-]{36} has 2 tasks\n$/)
      const [titles, first, second] = stdout.split("\n")
      assert.match(titles ?? "", /^id {34} {2}kind +payload +run at$/)
      assert.match(first ?? "", /^[0-9a-f-]{36} {2}store-discovery {2}(AZ|CA) +\d\d-\d\d /)
      assert.match(second ?? "", / store-discovery {2}(AZ|CA) /)

      const batch = stderr.slice("Batch ".length, "Batch ".length + 36)
      const shown = yield* run("tasks", "batch", batch)
      assert.match(shown.stderr, /^\[-{20}\] 0% of 2 tasks: 1 scheduled, 1 ready\n$/)
      const { counts, progress, tasks, total } = yield* json("tasks", "batch", batch)
      assert.deepInclude({ progress, total }, { progress: 0, total: 2 })
      assert.deepInclude(counts, { scheduled: 1, ready: 1 })
      assert.deepStrictEqual(
        tasks.map(({ payload }: Listed) => payload),
        [{ state: "AZ" }, { state: "CA" }]
      )
    })
  )

  it.effect("enqueue queues tasks of one kind, from its arguments or from standard input", () =>
    Effect.gen(function* () {
      const payloads = ['{"store_id":"s-1"}', '{"store_id":"s-2"}']
      const batch = yield* json(
        ...["tasks", "enqueue", "store-crawl", ...payloads],
        ...["--delay-seconds", "2.5", "--start-at", "2027-01-01T00:00:00Z", "--priority", "-4"]
      )
      assert.match(batch.batch_id, uuid)
      assert.deepStrictEqual(
        batch.tasks.map(({ payload, run_at }: Listed) => [payload, run_at]),
        [
          [{ store_id: "s-1" }, "2027-01-01T00:00:00.000Z"],
          [{ store_id: "s-2" }, "2027-01-01T00:00:02.500Z"]
        ]
      )
      const { priority } = yield* json("tasks", "show", batch.tasks[0].id)
      assert.strictEqual(priority, -4)

      const input = `${payloads.join("\n")}\n\n{"store_id":"s-3"}`
      const piped = yield* clicks(["tasks", "enqueue", "store-crawl", "-", "--json"], { input })
      assert.strictEqual(JSON.parse(piped.stdout).total, 3, piped.stderr)
    })
  )

  it.effect("list, show, cancel and retry", () =>
    Effect.gen(function* () {
      const { tasks } = yield* json("tasks", "enqueue", "store-crawl", '{"store_id":"\\u001b[31ms-9"}')
      const id: string = tasks[0].id
      const listed = yield* run("tasks", "list", "--state", "ready", "--kind", "store-crawl", "--limit", "1")
      assert.match(listed.stdout, new RegExp(`^id .*\n${id}  ready  store-crawl  \\S*s-9\n`))
      assert.match(listed.stderr, /^1 of \d tasks\n$/)
      const page = yield* json("tasks", "list", "--limit", "2", "--offset", "1")
      assert.strictEqual(page.tasks.length, 2)
      assert.deepInclude(page, { limit: 2, offset: 1 })

      const shown = yield* run("tasks", "show", id)
      assert.include(shown.stdout, `id            ${id}\nkind          store-crawl\n`)
      assert.notInclude(shown.stdout, "\u001b")
      const cancelled = yield* run("tasks", "cancel", id)
      assert.deepStrictEqual(cancelled, { code: 0, stdout: "", stderr: `Task ${id} cancelled\n` })
      const retried = yield* run("tasks", "retry", id)
      assert.deepStrictEqual(retried, {
        code: 1,
        stdout: "",
        stderr: "clicks: Only a failed task can be retried; this one is cancelled\n"
      })
    })
  )

  const wrong: ReadonlyArray<readonly [ReadonlyArray<string>, number, string]> = [
    [["discover", "AZ", "xx"], 2, '"xx" must be a two-letter US state, or DC'],
    [
      ["enqueue", "store-crawl", '{"store_id":"a"}', "{}"],
      2,
      "Payload 2: Invalid payload for kind store-crawl: store_id is required"
    ],
    [
      ["enqueue", "store-crawl", '{"store_id":"a"}', "--priority", "high"],
      2,
      "option '--priority <number>' argument 'high' is invalid. Expected a number.\nSee clicks tasks enqueue --help"
    ],
    [["list", "--limit", "0"], 2, '--limit must be a whole number, from 1 to 1000; it is "0"'],
    [["show", "x"], 1, "There is no task x"]
  ]
  it.effect("reject invalid arguments in one line, and queue nothing", () =>
    Effect.gen(function* () {
      const { total } = yield* json("tasks", "list")
      for (const [args, code, sentence] of wrong) {
        const outcome = yield* run("tasks", ...args)
        assert.deepStrictEqual(outcome, { code, stdout: "", stderr: `clicks: ${sentence}\n` })
      }
      assert.strictEqual((yield* json("tasks", "list")).total, total)
    })
  )
})

layer(Layer.merge(TestDatabase.layer, folderLayer), { excludeTestServices: true })(
  "clicks schedules",
  (it) => {
    it.effect("set creates and changes a schedule, list shows it, delete removes it", () =>
      Effect.gen(function* () {
        const made = yield* run("schedules", "set", "s-17", "--interval-minutes", "15", "--priority", "5")
        assert.strictEqual(made.code, 0, made.stderr)
        assert.strictEqual(
          made.stderr,
          'Schedule of store s-17 created\nStore s-17 is unknown. Its crawls fail until "clicks tasks discover" finds it\n'
        )
        assert.match(
          made.stdout,
          /^store {2}min {2}on {3}priority {2}last run {2}next run\ns-17 {3}15 {3}yes {2}5 {19}\d\d-\d\d \d\d:\d\dZ$/m
        )
        const changed = yield* json("schedules", "set", "s-17", "--enabled", "false")
        assert.deepInclude(changed, { interval_minutes: 15, enabled: false, priority: 5, next_run_at: null })
        assert.deepStrictEqual(yield* json("schedules", "list"), { schedules: [changed], total: 1 })
        yield* clicks(["payloads", "put", "s-17", "-"], { input: '{"products":[]}' })
        const known = yield* run("schedules", "set", "s-17", "--interval-minutes", "30")
        assert.strictEqual(known.stderr, "Schedule of store s-17 updated\n")
        const deleted = yield* run("schedules", "delete", "s-17")
        assert.deepStrictEqual(deleted, {
          code: 0,
          stdout: "",
          stderr: "Schedule of store s-17 deleted\n"
        })
        const again = yield* run("schedules", "delete", "s-17")
        assert.deepStrictEqual(
          [again.code, again.stderr],
          [1, "clicks: There is no schedule for the store s-17\n"]
        )
      })
    )

    it.effect("set rejects an invalid interval, and requires one for a new schedule", () =>
      Effect.gen(function* () {
        const none = yield* run("schedules", "set", "s-1", "--enabled", "false")
        assert.deepStrictEqual(
          [none.code, none.stderr],
          [2, "clicks: There is no schedule for the store s-1. To create one, add --interval-minutes\n"]
        )
        const { code, stderr } = yield* run("schedules", "set", "s-1", "--interval-minutes", "1441")
        assert.deepStrictEqual(
          [code, stderr],
          [2, "clicks: --interval-minutes must be a whole number, from 1 to 1440\n"]
        )
      })
    )
  }
)
