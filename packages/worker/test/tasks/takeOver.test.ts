import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as TaskQueueSql from "../../../sql-adapter/src/tasks/TaskQueueSql.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import * as WorkerProcess from "./WorkerProcess.ts"
import { all, enqueue, newTask } from "./workerSteps.ts"

interface Step {
  readonly task: string
  readonly attempt: number
  readonly pid: number
  readonly at: Date
}

const until = <A, E, R>(effect: Effect.Effect<A, E, R>, wished: (a: A) => boolean) =>
  Effect.repeat(Effect.delay(effect, "50 millis"), { until: wished })

const steps = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Step>`select task, attempt, pid, at from steps order by at, number`
})

const begin = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table steps (
    number bigint generated always as identity, task uuid not null, attempt int not null, pid int not null,
    at timestamptz not null default clock_timestamp()
  )`
  const { url } = yield* TestDatabase.TestDatabase
  return yield* Effect.all(
    Array.from({ length: 3 }, () => WorkerProcess.start(Redacted.value(url))),
    { concurrency: "unbounded" }
  )
})

const tasksOf = (found: ReadonlyArray<Step>, pid: number | undefined, attempt: number) =>
  new Set(found.filter((step) => step.pid === pid && step.attempt === attempt).map((step) => step.task))

/** The tasks for which a process has done some of the thirty steps, but not nearly all, so that they will not end in the next moment. */
const underWay = (found: ReadonlyArray<Step>, pid: number | undefined) =>
  Array.from(tasksOf(found, pid, 1)).filter((task) => found.filter((step) => step.task === task).length < 25)

/** The attempts of a task, each with its steps. */
const attemptsOf = (found: ReadonlyArray<Step>, task: string) =>
  Map.groupBy(
    found.filter((step) => step.task === task),
    (step) => step.attempt
  )

layer(TaskQueueSql.layer.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })(
  "three worker processes, one killed and one suspended",
  (it) => {
    it.effect(
      "finish every task, never run one twice at the same time, and ignore results of the suspended process",
      () =>
        Effect.gen(function* () {
          const [killed, frozen, survivor] = yield* begin
          // Each takes three seconds. Fifteen run at once.
          yield* enqueue(...Array.from({ length: 30 }, () => newTask(30)))
          const before = yield* until(
            steps,
            (found) => underWay(found, killed?.pid).length === 5 && underWay(found, frozen?.pid).length === 5
          )
          killed?.kill("SIGKILL")
          frozen?.kill("SIGSTOP")
          const interrupted = [...underWay(before, killed?.pid), ...underWay(before, frozen?.pid)]

          // It resumes while another process runs its tasks. A task may have ended just before the signal.
          const isTakenOver = Effect.gen(function* () {
            const again = tasksOf(yield* steps, survivor?.pid, 2)
            const ended = (yield* all).filter(({ state }) => state === "succeeded").map(({ id }) => id)
            return underWay(before, frozen?.pid).every((id) => again.has(id) || ended.includes(id))
          })
          yield* until(isTakenOver, (isSo) => isSo)
          const resumedAt = Date.now()
          frozen?.kill("SIGCONT")
          yield* until(all, (tasks) => tasks.every(({ state }) => state === "succeeded"))

          const found = yield* steps
          const tasks = yield* all
          const orphans = tasks.filter(({ attempts }) => attempts > 1).map(({ id }) => id)
          assert.isNotEmpty(orphans)
          assert.includeMembers(interrupted, orphans)
          for (const { attempts, id } of tasks) {
            assert.isAtMost(attempts, 2)
            const [first = [], second = []] = Array.from(attemptsOf(found, id).values())
            const overlapping = first.filter(({ at }) => second[0] !== undefined && at > second[0].at)
            // A process that was stopped in the middle of a step may still finish that step.
            assert.isAtMost(overlapping.length, 1)
            assert.isTrue(
              overlapping.every(({ at, pid }) => pid === frozen?.pid && at.getTime() >= resumedAt)
            )
            assert.strictEqual(orphans.includes(id) ? second.length : first.length, 30)
          }

          // The resumed process works again: it takes some of the tasks that are queued continuously.
          const later = Effect.gen(function* () {
            const made = yield* enqueue(...Array.from({ length: 15 }, () => newTask(5)))
            yield* until(all, (tasks) => tasks.every(({ state }) => state === "succeeded"))
            const done = tasksOf(yield* steps, frozen?.pid, 1)
            return made.some(({ id }) => done.has(id))
          })
          yield* Effect.repeat(later, { until: (works) => works })
        })
    )
  }
)
