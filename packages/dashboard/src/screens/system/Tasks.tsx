import { change } from "../../api/client.ts"
import type { AnswerOf } from "../../api/endpoints.ts"
import { useRead } from "../../api/useLoad.ts"
import { Panel } from "../../parts/Panel.tsx"
import { type Column, number, type TableData, time } from "../../parts/Table.tsx"
import { count } from "../../state/format.ts"
import { type Changing, useChange } from "./useChange.ts"

type Task = AnswerOf<"GET", "/api/tasks">["tasks"][number]

const unfinished: ReadonlyArray<string> = ["scheduled", "ready", "running"]

const Action = ({ changing, task }: { readonly task: Task; readonly changing: Changing }) => {
  const button = (title: string, path: "/api/tasks/:id/retry" | "/api/tasks/:id/cancel") => (
    <button
      type="button"
      disabled={changing.isBusy}
      aria-label={`${title} the task ${task.kind} ${task.id}`}
      onClick={() => changing.run(() => change("POST", path, { id: task.id }))}
    >
      {title}
    </button>
  )
  if (task.state === "failed") return button("Retry", "/api/tasks/:id/retry")
  return unfinished.includes(task.state) ? button("Cancel", "/api/tasks/:id/cancel") : null
}

const columnsOf = (changing: Changing): ReadonlyArray<Column<Task>> => [
  {
    title: "Task",
    value: ({ kind }) => kind,
    show: ({ kind, payload }) => <span title={JSON.stringify(payload)}>{kind}</span>
  },
  {
    title: "State",
    value: ({ state }) => state,
    show: ({ state }) => <span class={`state ${state}`}>{state}</span>
  },
  time("Run at", ({ run_at }) => run_at),
  {
    ...number("Attempts", ({ attempts }) => attempts),
    show: ({ attempts, max_attempts }) => `${attempts} of ${max_attempts}`
  },
  {
    title: "Error",
    class: "text",
    value: ({ error }) => error,
    show: ({ error }) => <span title={error ?? undefined}>{error}</span>
  },
  { title: "Action", show: (task) => <Action task={task} changing={changing} /> }
]

/** The latest tasks, with buttons to retry and cancel. */
export const Tasks = () => {
  const changing = useChange()
  return (
    <Panel
      title="Tasks"
      loaded={useRead("/api/tasks", { limit: "50" })}
      empty="No tasks yet."
      problem={changing.problem}
      summary={({ tasks, total }) =>
        total > tasks.length
          ? `${count(total)} tasks; the latest ${tasks.length} are shown.`
          : `${count(total)} ${total === 1 ? "task" : "tasks"}.`
      }
      table={({ tasks }): TableData<Task> => ({
        columns: columnsOf(changing),
        rows: tasks,
        keyOf: ({ id }) => id
      })}
    />
  )
}
