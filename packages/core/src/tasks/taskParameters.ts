import { choice, pageOf, text } from "../values/Parameter.ts"

/**
 * States of a task. A `scheduled` task waits for its time, also between attempts; a `ready` task waits for a worker. The last three states
 * are final.
 */
export const taskStates = ["scheduled", "ready", "running", "succeeded", "failed", "cancelled"] as const

/** The parameters of a page of tasks. */
export const taskParameters = {
  state: choice("Tasks in this state", "state", taskStates),
  kind: text("Tasks of this kind; an unknown one matches nothing", "kind", "store-crawl"),
  ...pageOf("tasks")
}
