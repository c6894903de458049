import type { NewTask, Task } from "@clicks/core/tasks/Task"
import { type TaskLease, TaskLeases, type TaskSignal, workerLost } from "@clicks/core/tasks/TaskLeases"
import { Clock, Duration, Effect, type PubSub, Stream } from "effect"

/** A task in memory. `scheduled` and `ready` depend on the clock, so here both are `waiting`. */
export interface TaskRow extends Omit<Task, "state"> {
  readonly state: "waiting" | "running" | "succeeded" | "failed" | "cancelled"
  readonly renewed_at: number
}

/** The tasks shared by the layers in memory, by id. */
export type TaskRows = Map<string, TaskRow>

export const fromNew = (task: NewTask, now: number): TaskRow => ({
  ...task,
  state: "waiting",
  run_at: task.run_at ?? new Date(now),
  attempts: 0,
  error: null,
  created_at: new Date(now),
  started_at: null,
  finished_at: null,
  renewed_at: now
})

export const toTask = ({ renewed_at: _, state, ...row }: TaskRow, now: number): Task => ({
  ...row,
  state: state !== "waiting" ? state : row.run_at.getTime() > now ? "scheduled" : "ready"
})

/** The order of listings: newest first, ties by id descending. */
export const compareTasks = (
  a: Pick<Task, "id" | "created_at">,
  b: Pick<Task, "id" | "created_at">
): number => b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/** Leases of the tasks. */
export const make = (rows: TaskRows, signals: PubSub.PubSub<TaskSignal>): TaskLeases["Service"] => {
  /** Changes the tasks whose leases are held, and returns their ids. */
  const updateHeld = (
    leases: ReadonlyArray<TaskLease>,
    change: (now: number, lease: TaskLease) => Partial<TaskRow>
  ) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const held = leases.flatMap((lease) => {
        const row = rows.get(lease.id)
        return row?.state === "running" && row.attempts === lease.attempt ? [{ lease, row }] : []
      })
      for (const { lease, row } of held) rows.set(row.id, { ...row, ...change(now, lease) })
      return new Set(held.map(({ row }) => row.id))
    })

  return TaskLeases.of({
    take: (limit, except) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        Array.from(rows.values())
          .filter(
            (row) => row.state === "waiting" && row.run_at.getTime() <= now && !except.includes(row.kind)
          )
          .sort((a, b) => b.priority - a.priority || compareTasks(b, a))
          .slice(0, limit)
          .map((row): TaskLease => {
            const { id, kind, max_attempts, payload } = row
            const attempt = row.attempts + 1
            const taken = {
              state: "running",
              attempts: attempt,
              started_at: new Date(now),
              renewed_at: now
            } as const
            rows.set(id, { ...row, ...taken })
            return { id, kind, payload, attempt, max_attempts }
          })
      ),
    renew: (leases) => updateHeld(leases, (renewed_at) => ({ renewed_at })),
    succeed: (leases) =>
      updateHeld(leases, (now) => ({ state: "succeeded", error: null, finished_at: new Date(now) })),
    fail: (lease, { error, retryIn }) =>
      Effect.map(
        updateHeld([lease], (now) =>
          retryIn === null
            ? { state: "failed", error, finished_at: new Date(now) }
            : { state: "waiting", error, run_at: new Date(now + Duration.toMillis(retryIn)) }
        ),
        (held) => held.size === 1
      ),
    handBack: (leases, error) =>
      updateHeld(leases, (_, { max_attempts }) => ({
        state: "waiting",
        max_attempts: max_attempts + 1,
        ...(error !== undefined && { error })
      })),
    recover: (silentFor) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const silentSince = now - Duration.toMillis(silentFor)
        const silent = Array.from(rows.values()).filter(
          (row) => row.state === "running" && row.renewed_at < silentSince
        )
        for (const row of silent) {
          const isLast = row.attempts >= row.max_attempts
          const end = isLast
            ? { state: "failed" as const, finished_at: new Date(now) }
            : { state: "waiting" as const }
          rows.set(row.id, { ...row, ...end, error: workerLost(row.attempts) })
        }
        return silent.map(({ id }) => id)
      }),
    signals: Stream.fromPubSub(signals)
  })
}
