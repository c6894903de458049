import { change, read } from "../../api/client.ts"
import type { AnswerOf } from "../../api/endpoints.ts"
import { useLoad } from "../../api/useLoad.ts"
import { Panel, Problem } from "../../parts/Panel.tsx"
import { Scroll } from "../../parts/Scroll.tsx"
import { dateTime } from "../../state/dates.ts"
import { zone } from "../../state/range.ts"
import { useChange } from "./useChange.ts"

type Answer = AnswerOf<"GET", "/api/tasks">
type Task = Answer["tasks"][number]

const unfinished: ReadonlyArray<string> = ["scheduled", "ready", "running"]

const Action = ({
  task,
  run,
  isBusy
}: {
  readonly task: Task
  readonly isBusy: boolean
  readonly run: (change: () => Promise<unknown>) => void
}) => {
  const button = (title: string, path: "/api/tasks/:id/retry" | "/api/tasks/:id/cancel") => (
    <button
      type="button"
      disabled={isBusy}
      aria-label={`${title} the task ${task.kind} ${task.id}`}
      onClick={() => run(() => change("POST", path, { id: task.id }))}
    >
      {title}
    </button>
  )
  if (task.state === "failed") return button("Retry", "/api/tasks/:id/retry")
  return unfinished.includes(task.state) ? button("Cancel", "/api/tasks/:id/cancel") : null
}

/** The latest tasks, with what can be done about them. */
export const Tasks = () => {
  const loaded = useLoad("tasks", (signal) => read("/api/tasks", { limit: "50" }, signal))
  const { isBusy, problem, run } = useChange()
  return (
    <Panel
      title="Tasks"
      loaded={loaded}
      isTable
      isEmpty={({ tasks }) => tasks.length === 0}
      empty="No tasks yet."
      summary={({ tasks, total }) => `${total} tasks; the latest ${tasks.length} are shown.`}
      table={({ tasks }) => ({
        titles: ["Task", "State", "Run at", "Attempts", "Error"],
        rows: tasks.map((task) => [task.kind, task.state, task.run_at, task.attempts, task.error])
      })}
    >
      {({ tasks }) => (
        <>
          {problem !== "" && <Problem status={0} message={problem} />}
          <Scroll label="Tasks, table">
            <table class="system">
              <thead>
                <tr>
                  <th scope="col">Task</th>
                  <th scope="col">State</th>
                  <th scope="col">Run at</th>
                  <th scope="col" class="number">
                    Attempts
                  </th>
                  <th scope="col">Error</th>
                  <th scope="col">Action</th>
                </tr>
              </thead>
              <tbody>
                {tasks.map((task) => (
                  <tr key={task.id}>
                    <th scope="row" title={JSON.stringify(task.payload)}>
                      {task.kind}
                    </th>
                    <td>
                      <span class={`state ${task.state}`}>{task.state}</span>
                    </td>
                    <td>{dateTime(task.run_at, zone.value)}</td>
                    <td class="number">{`${task.attempts} of ${task.max_attempts}`}</td>
                    <td class="text" title={task.error ?? undefined}>
                      {task.error}
                    </td>
                    <td>
                      <Action task={task} isBusy={isBusy} run={run} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </>
      )}
    </Panel>
  )
}
