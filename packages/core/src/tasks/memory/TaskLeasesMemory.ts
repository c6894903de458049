import { Clock, Duration, Effect, type PubSub, Stream } from "effect"
import { type FailedAttempt, type TaskLease, TaskLeases, type TaskSignal, workerLost } from "../TaskLeases.ts"
import type { TaskRow, TaskTable } from "./TaskTable.ts"

const toLease = ({ attempts, id, kind, max_attempts, payload }: TaskRow): TaskLease => ({
  id,
  kind,
  payload,
  attempt: attempts,
  max_attempts
})

/** Leases of tasks in this process's memory. */
export const make = (table: TaskTable, signals: PubSub.PubSub<TaskSignal>): TaskLeases["Service"] => {
  const isHeld = ({ attempt, id }: TaskLease): boolean => {
    const row = table.rows.get(id)
    return row?.state === "running" && row.attempts === attempt
  }

  const updateHeld = (leases: ReadonlyArray<TaskLease>, change: Partial<TaskRow>): ReadonlySet<string> => {
    const held = leases.filter(isHeld)
    for (const { id } of held) table.update(id, change)
    return new Set(held.map(({ id }) => id))
  }

  const take = Effect.fnUntraced(function* (limit: number, except: ReadonlyArray<string>) {
    const now = yield* Clock.currentTimeMillis
    const taken = table.ready(now).filter((row) => !except.includes(row.kind))
    return taken.slice(0, limit).map((row) => {
      const running: TaskRow = {
        ...row,
        state: "running",
        attempts: row.attempts + 1,
        started_at: new Date(now),
        renewed_at: now
      }
      table.rows.set(row.id, running)
      return toLease(running)
    })
  })

  const fail = Effect.fnUntraced(function* (lease: TaskLease, { error, retryIn }: FailedAttempt) {
    const now = yield* Clock.currentTimeMillis
    const change: Partial<TaskRow> =
      retryIn === null
        ? { state: "failed", error, finished_at: new Date(now) }
        : { state: "waiting", error, run_at: new Date(now + Duration.toMillis(retryIn)) }
    return updateHeld([lease], change).size === 1
  })

  const recover = Effect.fnUntraced(function* (silentFor: Duration.Duration) {
    const now = yield* Clock.currentTimeMillis
    const silent = Array.from(table.rows.values()).filter(
      (row) => row.state === "running" && row.renewed_at < now - Duration.toMillis(silentFor)
    )
    for (const row of silent) {
      const end: Partial<TaskRow> =
        row.attempts < row.max_attempts
          ? { state: "waiting" }
          : { state: "failed", finished_at: new Date(now) }
      table.update(row.id, { ...end, error: workerLost(row.attempts) })
    }
    return silent.map(({ id }) => id)
  })

  return TaskLeases.of({
    take,
    renew: (leases) =>
      Effect.map(Clock.currentTimeMillis, (renewed_at) => updateHeld(leases, { renewed_at })),
    succeed: (leases) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        updateHeld(leases, { state: "succeeded", error: null, finished_at: new Date(now) })
      ),
    fail,
    handBack: (leases, error) =>
      Effect.sync(() => {
        for (const lease of leases) {
          updateHeld([lease], {
            state: "waiting",
            max_attempts: lease.max_attempts + 1,
            ...(error !== undefined && { error })
          })
        }
      }),
    recover,
    signals: Stream.fromPubSub(signals)
  })
}
