import { Task, taskStates } from "@clicks/core/tasks/Task"
import { TaskBatch } from "@clicks/core/tasks/TaskBatch"
import * as TaskQuery from "@clicks/core/tasks/TaskQuery"
import { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { Effect, Option, Schema } from "effect"
import { CommandFailed, exitCodes, orUsageError } from "../CommandError.ts"
import { countOf, grouped } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { visibleText } from "../terminal/visibleText.ts"
import * as TaskPorts from "./TaskPorts.ts"
import { taskLines, taskTable, whereShown } from "./taskTables.ts"

interface Format {
  readonly json: boolean
}

export interface ListOptions extends Format {
  readonly state?: string
  readonly kind?: string
  readonly limit?: string
  readonly offset?: string
}

/** Prints tasks as a table. Where an error had to be cut, says where it is whole. */
const showTasks = Effect.fnUntraced(function* (tasks: ReadonlyArray<Task>) {
  if (tasks.length === 0) return
  const shown = taskTable(tasks, yield* whereShown)
  yield* Output.line(shown)
  const isCut = tasks.some(({ error }) => error !== null && !shown.includes(visibleText(error)))
  if (isCut) yield* Output.footer('"clicks tasks show <id>" shows the whole error of a task')
})

/** `clicks tasks list`. */
export const listTasks = Effect.fn("listTasks")(function* ({ json, ...parameters }: ListOptions) {
  const query = yield* orUsageError(TaskQuery.parse({ ...parameters }))
  const page = yield* TaskQueue.use((queue) => queue.list(query)).pipe(Effect.provide(TaskPorts.layer))
  if (json) {
    yield* Output.json(page)
    return exitCodes.done
  }
  yield* showTasks(page.tasks)
  yield* Output.footer(`${grouped(page.tasks.length)} of ${countOf(page.total, "task")}`)
  return exitCodes.done
})

const orFail = (what: "batch" | "task", id: string) =>
  Effect.fnUntraced(function* <A>(found: Option.Option<A>) {
    return Option.isSome(found)
      ? found.value
      : yield* new CommandFailed({ message: `There is no ${what} ${visibleText(id)}` })
  })

/** `clicks tasks show`. */
export const showTask = Effect.fn("showTask")(function* (id: string, { json }: Format) {
  const found = yield* TaskQueue.use((queue) => queue.get(id)).pipe(Effect.provide(TaskPorts.layer))
  const task = yield* orFail("task", id)(found)
  if (json) yield* Output.json(Schema.encodeSync(Task)(task))
  else {
    const lines = taskLines(task).filter(([, text]) => text !== "")
    yield* Output.line(lines.map(([name, text]) => `${name.padEnd(8)}  ${visibleText(text)}`).join("\n"))
  }
  return exitCodes.done
})

const barWidth = 20

const bar = (progress: number): string => {
  const full = Math.floor(progress * barWidth)
  return `[${"#".repeat(full)}${"-".repeat(barWidth - full)}]`
}

/** `clicks tasks batch`. */
export const showBatch = Effect.fn("showBatch")(function* (id: string, { json }: Format) {
  const found = yield* TaskQueue.use((queue) => queue.batch(id)).pipe(Effect.provide(TaskPorts.layer))
  const batch = yield* orFail("batch", id)(found)
  if (json) {
    yield* Output.json(Schema.encodeSync(TaskBatch)(batch))
    return exitCodes.done
  }
  yield* showTasks(batch.tasks)
  const counts = taskStates
    .filter((state) => batch.counts[state] > 0)
    .map((state) => `${grouped(batch.counts[state])} ${state}`)
  const percent = Math.floor(batch.progress * 100)
  yield* Output.footer(
    `${bar(batch.progress)} ${percent}% of ${countOf(batch.total, "task")}: ${counts.join(", ")}`
  )
  return exitCodes.done
})

const change = Effect.fnUntraced(function* (
  id: string,
  { json }: Format,
  how: "retry" | "cancel",
  said: string
) {
  const found = yield* TaskQueue.use((queue) => queue[how](id)).pipe(
    Effect.catchTag("TaskStateConflict", ({ message }) => Effect.fail(new CommandFailed({ message }))),
    Effect.provide(TaskPorts.layer)
  )
  const task = yield* orFail("task", id)(found)
  if (json) yield* Output.json(Schema.encodeSync(Task)(task))
  else yield* Output.note(`Task ${task.id} ${said}`)
  return exitCodes.done
})

/** `clicks tasks retry`. */
export const retryTask = Effect.fn("retryTask")((id: string, format: Format) =>
  change(id, format, "retry", "is ready for another attempt")
)

/** `clicks tasks cancel`. */
export const cancelTask = Effect.fn("cancelTask")((id: string, format: Format) =>
  change(id, format, "cancel", "cancelled")
)
