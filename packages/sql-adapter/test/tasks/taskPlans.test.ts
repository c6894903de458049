import { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { batch, list, take } from "../../../core/test/contract/tasks/taskSteps.ts"
import * as CrawlSchedulesSql from "../../src/tasks/CrawlSchedulesSql.ts"
import * as TaskLeasesSql from "../../src/tasks/TaskLeasesSql.ts"
import * as TaskQueueSql from "../../src/tasks/TaskQueueSql.ts"
import * as TestDatabase from "../TestDatabase.ts"

const rows = 50_000
const batchId = "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a"

// One in a thousand has failed and one in a thousand is unfinished, as in a queue that has been in use for a while.
const fill = SqlClient.SqlClient.use((sql) =>
  sql`
    insert into tasks (id, kind, payload, state, priority, run_at, max_attempts, batch_id, created_at, finished_at)
    select gen_random_uuid(), 'store-crawl', jsonb_build_object('store_id', 's-' || n),
      case when n % 1000 = 0 then 'failed' when n % 1000 = 1 then 'waiting' else 'succeeded' end,
      0, now(), 5, case when n % 5000 = 0 then ${batchId}::uuid end, now() - n * interval '1 second',
      case when n % 1000 <> 1 then now() end
    from generate_series(1, ${rows}) as n`.pipe(Effect.andThen(sql`analyze tasks`))
)

const tasks = Layer.mergeAll(
  TaskQueueSql.layer,
  TaskLeasesSql.layer,
  CrawlSchedulesSql.layer,
  Layer.effectDiscard(fill)
).pipe(Layer.provideMerge(TestDatabase.layer))

/** The plans of all statements that an effect sends. */
const plansOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const sent: Array<readonly [string, ReadonlyArray<unknown>]> = []
  yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      sent.push(statement.compile())
      return statement
    })
  )
  const plans = yield* Effect.forEach(
    sent.filter(([text]) => /from tasks\b/.test(text)),
    ([text, parameters]) => sql.unsafe(`explain (format json) ${text}`, parameters)
  )
  return JSON.stringify(plans)
})

layer(tasks, { excludeTestServices: true })(`among ${rows} tasks`, (it) => {
  it.effect("finds a page, a state, a batch, the next tasks and unfinished crawls by index", () =>
    Effect.gen(function* () {
      assert.include(yield* plansOf(list()), "tasks_in_listing_order")
      assert.include(yield* plansOf(list({ state: "failed" })), "tasks_by_state")
      assert.include(yield* plansOf(list({ state: "running" })), "tasks_by_state")
      assert.include(yield* plansOf(batch(batchId)), "tasks_by_batch")
      assert.include(yield* plansOf(take(1)), "tasks_waiting")
      const schedules = yield* CrawlSchedules
      yield* schedules.put("s-1", { interval_minutes: 5 })
      assert.include(yield* plansOf(schedules.fireDue), "tasks_crawling")
    })
  )
})
