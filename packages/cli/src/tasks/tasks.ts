import { Task } from "@clicks/core/tasks/Task"
import { TaskBatch } from "@clicks/core/tasks/TaskBatch"
import { parseQuery, TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { taskStates } from "@clicks/core/tasks/taskParameters"
import { Effect, Schema } from "effect"
import { CommandFailed, orNotFound, orUsageError, toParameters } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { countOf, grouped } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { naturalWidth } from "../terminal/Table.ts"
import { visibleText } from "../terminal/visibleText.ts"
import { taskColumns, valueText } from "./taskTables.ts"

const listOf = (format: Output.Format, answer: unknown, tasks: ReadonlyArray<Task>, footer: string) => {
  const columns = taskColumns(tasks)
  const isCut = tasks.some(({ error }) => error !== null) && naturalWidth(columns, tasks) > Output.width()
  const hint = isCut ? '. "clicks tasks show <id>" shows the whole error of a task' : ""
  return Output.list(format, answer, columns, tasks, `${footer}${hint}`)
}

/** `clicks tasks list`. */
export const listTasks = Effect.fn("listTasks")(function* (options: Output.Format) {
  const query = yield* orUsageError(parseQuery(toParameters(options)))
  const page = yield* TaskQueue.use((queue) => queue.list(query)).pipe(Effect.provide(Database.layer))
  const footer = `${grouped(page.tasks.length)} of ${countOf(page.total, "task")}`
  yield* listOf(options, page, page.tasks, footer)
})

/** `clicks tasks show`. */
export const showTask = Effect.fn("showTask")(function* (id: string, { json }: Output.Format) {
  const task = yield* TaskQueue.use((queue) => queue.get(id)).pipe(
    Effect.flatMap(orNotFound("task", id)),
    Effect.provide(Database.layer)
  )
  const fields = Schema.encodeSync(Task)(task)
  if (json) return yield* Output.json(fields)
  const lines = Object.entries(fields).filter(([, value]) => value !== null)
  yield* Output.line(
    lines.map(([name, value]) => `${name.padEnd(12)}  ${visibleText(valueText(value))}`).join("\n")
  )
})

const barWidth = 20

const bar = (progress: number): string => {
  const full = Math.floor(progress * barWidth)
  return `[${"#".repeat(full)}${"-".repeat(barWidth - full)}]`
}

/** `clicks tasks batch`. */
export const showBatch = Effect.fn("showBatch")(function* (id: string, format: Output.Format) {
  const batch = yield* TaskQueue.use((queue) => queue.batch(id)).pipe(
    Effect.flatMap(orNotFound("batch", id)),
    Effect.provide(Database.layer)
  )
  const { counts, progress, tasks, total } = batch
  const states = taskStates.filter((state) => counts[state] > 0)
  const countTexts = states.map((state) => `${grouped(counts[state])} ${state}`)
  const footer = `${bar(progress)} ${Math.floor(progress * 100)}% of ${countOf(total, "task")}: ${countTexts.join(", ")}`
  yield* listOf(format, Schema.encodeSync(TaskBatch)(batch), tasks, footer)
})

const change = Effect.fnUntraced(function* (
  id: string,
  format: Output.Format,
  operation: "retry" | "cancel",
  outcome: string
) {
  const task = yield* TaskQueue.use((queue) => queue[operation](id)).pipe(
    Effect.catchTag("TaskStateConflict", ({ message }) => Effect.fail(new CommandFailed({ message }))),
    Effect.flatMap(orNotFound("task", id)),
    Effect.provide(Database.layer)
  )
  yield* Output.change(format, Schema.encodeSync(Task)(task), `Task ${task.id} ${outcome}`)
})

/** `clicks tasks retry`. */
export const retryTask = Effect.fn("retryTask")((id: string, format: Output.Format) =>
  change(id, format, "retry", "is ready for another attempt")
)

/** `clicks tasks cancel`. */
export const cancelTask = Effect.fn("cancelTask")((id: string, format: Output.Format) =>
  change(id, format, "cancel", "cancelled")
)
