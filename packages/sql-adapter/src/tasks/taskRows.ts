import type { TaskState } from "@clicks/core/tasks/Task"
import type { TaskLease } from "@clicks/core/tasks/TaskLeases"
import type { Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { queueName } from "./queueName.ts"

/** What a job of pg-boss carries beside its own columns. Its group is the kind, its id the task's. */
export type JobData = {
  readonly payload: Schema.Json
  readonly max_attempts: number
  readonly batch_id: string | null
}

/** What is kept with a job that failed. */
export type JobOutput = { readonly error: string }

/** A lease as pg-boss knows it: it counts attempts from 0. Given with every change, so that a lost lease changes nothing. */
export const attemptOf = ({
  attempt,
  id
}: TaskLease): { readonly id: string; readonly retryCount: number } => ({
  id,
  retryCount: attempt - 1
})

/**
 * A task, read from its job: the job is the only record of it. pg-boss counts the starts after the first, and a job that waits is
 * scheduled or ready by the clock.
 */
export const taskColumns = (sql: SqlClient.SqlClient): Statement.Fragment => sql`
  id,
  group_id as kind,
  data -> 'payload' as payload,
  case
    when state < 'active' and start_after > now() then 'scheduled'
    when state < 'active' then 'ready'
    when state = 'active' then 'running'
    when state = 'completed' then 'succeeded'
    else state::text
  end as state,
  priority,
  start_after as run_at,
  case when started_on is null then 0 else retry_count + 1 end as attempts,
  (data ->> 'max_attempts')::int as max_attempts,
  data ->> 'batch_id' as batch_id,
  output ->> 'error' as error,
  created_on as created_at,
  started_on as started_at,
  completed_on as finished_at`

/** The table that holds the tasks, and which of its rows they are. */
export const fromTasks = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`from pgboss.job_common where name = ${queueName}`

const jobStates: Readonly<Record<Exclude<TaskState, "scheduled" | "ready">, string>> = {
  running: "active",
  succeeded: "completed",
  failed: "failed",
  cancelled: "cancelled"
}

/** Whether a job is a task in this state, in a form that its indexes serve. */
export const hasState = (sql: SqlClient.SqlClient, state: TaskState): Statement.Fragment => {
  switch (state) {
    case "scheduled":
      return sql`state < 'active' and start_after > now()`
    case "ready":
      return sql`state < 'active' and start_after <= now()`
    default:
      return sql`state = ${sql.literal(`'${jobStates[state]}'`)}`
  }
}
