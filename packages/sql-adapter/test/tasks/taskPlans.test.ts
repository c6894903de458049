import { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { batch, list } from "../../../core/test/contract/taskSteps.ts"
import * as CrawlSchedulesSql from "../../src/tasks/CrawlSchedulesSql.ts"
import * as TaskQueueSql from "../../src/tasks/TaskQueueSql.ts"
import * as TestDatabase from "../TestDatabase.ts"

const rows = 50_000
const batchId = "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a"

// One in a thousand failed and one in a thousand is still to be done, as in a queue that has been at work for a while.
const fill = SqlClient.SqlClient.use((sql) =>
  sql`
    insert into pgboss.job_common (name, group_id, data, state, retry_limit, created_on, completed_on)
    select 'tasks', 'store-crawl',
      jsonb_build_object('payload', jsonb_build_object('store_id', 's-' || n), 'max_attempts', 5,
        'batch_id', case when n % 5000 = 0 then ${batchId} end),
      (case when n % 1000 = 0 then 'failed' when n % 1000 = 1 then 'created' else 'completed' end)::pgboss.job_state,
      0, now() - n * interval '1 second', now()
    from generate_series(1, ${rows}) as n`.pipe(Effect.andThen(sql`analyze pgboss.job_common`))
)

const tasks = Layer.mergeAll(TaskQueueSql.layer, CrawlSchedulesSql.layer, Layer.effectDiscard(fill)).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

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
    sent.filter(([text]) => text.includes("job_common")),
    ([text, parameters]) => sql.unsafe(`explain (format json) ${text}`, parameters)
  )
  return JSON.stringify(plans)
})

layer(tasks, { excludeTestServices: true })(`among ${rows} tasks`, (it) => {
  it.effect(
    "a page, the failed ones, a batch and the unfinished crawls of stores are found by their indexes",
    () =>
      Effect.gen(function* () {
        assert.include(yield* plansOf(list()), "tasks_in_listing_order")
        assert.include(yield* plansOf(list({ state: "failed" })), "tasks_by_state")
        assert.include(yield* plansOf(list({ state: "running" })), "tasks_by_state")
        assert.include(yield* plansOf(batch(batchId)), "tasks_by_batch")
        const schedules = yield* CrawlSchedules
        yield* schedules.put("s-1", { interval_minutes: 5 })
        assert.include(yield* plansOf(schedules.fireDue), "tasks_crawling")
      })
  )
})
