import { taskParameters } from "@clicks/core/tasks/taskParameters"
import { type Command, Option } from "commander"
import { action, groupHelp, json, toNumber } from "../process/command.ts"
import { withParameters } from "../process/parameterOptions.ts"

const tasksHelp = `
Examples:
  clicks tasks discover AZ CA --stagger-seconds 30
  clicks tasks enqueue store-crawl '{"store_id":"s-17"}' '{"store_id":"s-18"}'
  clicks tasks enqueue store-crawl - --delay-seconds 2 < stores.ndjson
  clicks tasks list --state failed
  clicks tasks show 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a
  clicks tasks batch 019aa0d2-5c00-7000-8000-5f2b0c9d1e3b
  clicks tasks cancel 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a
  clicks tasks list --state failed --json | jq -r .tasks[].id |
    xargs -n1 clicks tasks retry`

const loadTasks = () => import("./tasks.ts")
const loadEnqueue = () => import("./enqueue.ts")

const priority = ["--priority <number>", "-1000 to 1000, highest runs first (default 0)", toNumber] as const

/** Declares a command that takes the id of a task or a batch. */
const declareOne = (
  tasks: Command,
  name: string,
  description: string,
  run: "showTask" | "showBatch" | "retryTask" | "cancelTask"
): void => {
  const what = run === "showBatch" ? "batch" : "task"
  tasks
    .command(name)
    .description(description)
    .argument("<id>", `${what} id`)
    .option(...json(what === "batch" ? "the batch and its tasks" : "the task"))
    .action(action(loadTasks, run))
}

const declareEnqueueing = (tasks: Command): void => {
  tasks
    .command("discover")
    .description("Queue store discovery tasks, one per state.")
    .argument("<states...>", "two-letter US states, or DC")
    .option("--stagger-seconds <seconds>", "delay between states (default 0)", toNumber)
    .option(...priority)
    .option(...json("the batch id and the tasks"))
    .action(action(loadEnqueue, "discoverStores"))
  tasks
    .command("enqueue")
    .description("Queue up to 1,000 tasks of one kind as a batch.")
    .argument("<kind>", "task kind: store-crawl or store-discovery")
    .argument("<payloads...>", "JSON values, one per task; - reads one per line from standard input")
    .option("--delay-seconds <seconds>", "delay between tasks (default 0)", toNumber)
    .option("--start-at <time>", "start time of the first task, ISO 8601 (default: now)")
    .option(...priority)
    .option(...json("the batch id and the tasks"))
    .action(action(loadEnqueue, "enqueueTasks"))
}

/** Declares `clicks tasks` and its subcommands. */
export const declareTasks = (program: Command): void => {
  const tasks = program
    .command("tasks")
    .description("Queue, list, retry and cancel worker tasks.")
    .addHelpText(...groupHelp(tasksHelp))
  withParameters(tasks.command("list"), taskParameters)
    .description(
      'List tasks, newest first, and their total. The table shortens errors to fit the terminal; "clicks tasks show" and --json print them in full.'
    )
    .option(...json("the tasks and their total"))
    .action(action(loadTasks, "listTasks"))
  declareOne(tasks, "show", "Show all details of a task, including its full error.", "showTask")
  declareOne(tasks, "batch", "Show the progress of a batch and its tasks.", "showBatch")
  declareOne(tasks, "retry", "Retry a failed task.", "retryTask")
  declareOne(tasks, "cancel", "Cancel a task. A running task is interrupted.", "cancelTask")
  declareEnqueueing(tasks)
}

const schedulesHelp = `
Examples:
  clicks schedules set s-17 --interval-minutes 15
  clicks schedules set s-17 --enabled false
  clicks schedules list
  clicks schedules delete s-17`

const loadSchedules = () => import("./schedules.ts")

/** Declares `clicks schedules` and its subcommands. */
export const declareSchedules = (program: Command): void => {
  const schedules = program
    .command("schedules")
    .description("List, set and delete crawl schedules of stores.")
    .addHelpText(...groupHelp(schedulesHelp))
  schedules
    .command("list")
    .description("List all schedules by store.")
    .option(...json("the schedules"))
    .action(action(loadSchedules, "listSchedules"))
  schedules
    .command("set")
    .description(
      "Create or update a store's schedule. Omitted options keep their values. The store may be unknown; its crawls fail until it is discovered."
    )
    .argument("<store>", "store id")
    .option("--interval-minutes <minutes>", "1 to 1440; required for a new schedule", toNumber)
    .addOption(
      new Option("--enabled <enabled>", "whether the schedule runs (new schedule: true)").choices([
        "true",
        "false"
      ])
    )
    .option("--priority <number>", "priority of its tasks, -1000 to 1000 (new schedule: 0)", toNumber)
    .option(...json("the schedule"))
    .action(action(loadSchedules, "setSchedule"))
  schedules
    .command("delete")
    .description("Delete a store's schedule. Crawls that are already queued still run.")
    .argument("<store>", "store id")
    .option(...json("the id of the deleted schedule"))
    .action(action(loadSchedules, "deleteSchedule"))
}
