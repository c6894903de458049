import { compareTasks, isFinished, type NewTask, type Task } from "../Task.ts"

/** A task in memory: `scheduled` and `ready` follow from the clock, so here both are `waiting`. */
export interface TaskRow extends Omit<Task, "state"> {
  readonly state: "waiting" | "running" | "succeeded" | "failed" | "cancelled"
  readonly renewed_at: number
}

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

/** The tasks that the layers in memory share. */
export class TaskTable {
  readonly rows = new Map<string, TaskRow>()

  /** Changes a row that is there. */
  update(id: string, change: Partial<TaskRow>): void {
    const row = this.rows.get(id)
    if (row !== undefined) this.rows.set(id, { ...row, ...change })
  }

  /** The tasks in listing order. */
  listing(now: number): ReadonlyArray<Task> {
    return Array.from(this.rows.values(), (row) => toTask(row, now)).sort(compareTasks)
  }

  /** Those that may be taken: the highest priority first, then the oldest. */
  ready(now: number): ReadonlyArray<TaskRow> {
    return Array.from(this.rows.values())
      .filter((row) => row.state === "waiting" && row.run_at.getTime() <= now)
      .sort((a, b) => b.priority - a.priority || compareTasks(b, a))
  }

  /** Forgets what finished before then, a batch only as a whole, and returns how many tasks that were. */
  purge(before: Date): number {
    const isOld = ({ finished_at }: TaskRow) => finished_at !== null && finished_at < before
    const rows = Array.from(this.rows.values())
    const kept = new Set(rows.filter((row) => !isOld(row)).map((row) => row.batch_id ?? row.id))
    const old = rows.filter((row) => !kept.has(row.batch_id ?? row.id))
    for (const { id } of old) this.rows.delete(id)
    return old.length
  }

  /** Whether the predicate holds for a task that is not finished. */
  hasUnfinished(predicate: (row: TaskRow) => boolean): boolean {
    return this.rows
      .values()
      .some((row) => (row.state === "waiting" || !isFinished(row.state)) && predicate(row))
  }
}
