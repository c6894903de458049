import { type Command, Option } from "commander"
import { action, toNumber } from "../process/command.ts"

const help = `
Examples:
  clicks tasks discover AZ CA --stagger-seconds 30
  clicks tasks enqueue store-crawl '{"store_id":"s-17"}' '{"store_id":"s-18"}'
  clicks tasks list --state failed
  clicks tasks show 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a
  clicks tasks list --state failed --json | jq -r .tasks[].id |
    xargs -n1 clicks tasks retry`

const enqueueHelp = `
Examples:
  clicks tasks enqueue store-crawl '{"store_id":"s-17"}' --priority 10
  clicks tasks enqueue store-crawl - --delay-seconds 2 < stores.ndjson`

const load = () => import("./tasks.ts")
const loadEnqueue = () => import("./enqueue.ts")

const asJson = ["--json", "print the HTTP API's JSON"] as const
const priority = ["--priority <number>", "-1000 to 1000, highest runs first (default 0)", toNumber] as const

const declareWatching = (tasks: Command): void => {
  tasks
    .command("list")
    .description(
      "List tasks, newest first, and their total. The table shortens errors to fit the terminal; show and --json print them in full."
    )
    .addOption(
      new Option("--state <state>", "tasks in this state").choices([
        "scheduled",
        "ready",
        "running",
        "succeeded",
        "failed",
        "cancelled"
      ])
    )
    .option("--kind <kind>", "tasks of this kind, such as store-crawl")
    .option("--limit <count>", "maximum tasks, 1 to 1000 (default 100)")
    .option("--offset <count>", "tasks to skip")
    .option(...asJson)
    .addHelpText("after", "\nExample:\n  clicks tasks list --state failed --kind store-crawl --limit 20")
    .action(action(load, "listTasks"))
  tasks
    .command("show")
    .description("Show all details of a task, including its full error.")
    .argument("<id>", "task id")
    .option(...asJson)
    .addHelpText("after", "\nExample:\n  clicks tasks show 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a")
    .action(action(load, "showTask"))
  tasks
    .command("batch")
    .description("Show the progress of a batch and its tasks.")
    .argument("<id>", "batch id")
    .option(...asJson)
    .addHelpText(
      "after",
      "\nExample:\n  clicks tasks batch 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a --json | jq .progress"
    )
    .action(action(load, "showBatch"))
}

const declareChanging = (tasks: Command): void => {
  tasks
    .command("retry")
    .description("Retry a failed task.")
    .argument("<id>", "task id")
    .option(...asJson)
    .addHelpText("after", "\nExample:\n  clicks tasks retry 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a")
    .action(action(load, "retryTask"))
  tasks
    .command("cancel")
    .description("Cancel a task. A running task is interrupted.")
    .argument("<id>", "task id")
    .option(...asJson)
    .addHelpText("after", "\nExample:\n  clicks tasks cancel 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a")
    .action(action(load, "cancelTask"))
}

const declareMaking = (tasks: Command): void => {
  tasks
    .command("discover")
    .description("Queue store discovery tasks, one per state.")
    .argument("<states...>", "two-letter US states, or DC")
    .option("--stagger-seconds <seconds>", "delay between states (default 0)", toNumber)
    .option(...priority)
    .option(...asJson)
    .addHelpText("after", "\nExample:\n  clicks tasks discover AZ CA DC --stagger-seconds 60")
    .action(action(loadEnqueue, "discoverStores"))
  tasks
    .command("enqueue")
    .description("Queue up to 1,000 tasks of one kind as a batch.")
    .argument("<kind>", "task kind, such as store-crawl")
    .argument("<payloads...>", "JSON values, one per task; - reads one per line from standard input")
    .option("--delay-seconds <seconds>", "delay between tasks (default 0)", toNumber)
    .option("--start-at <time>", "start time of the first task, ISO 8601 (default: now)")
    .option(...priority)
    .option(...asJson)
    .addHelpText("after", enqueueHelp)
    .action(action(loadEnqueue, "enqueueTasks"))
}

/** Declares `clicks tasks` and its subcommands. */
export const declareTasks = (program: Command): void => {
  const tasks = program
    .command("tasks")
    .summary("queue, list, retry and cancel tasks")
    .description("Queue, list, retry and cancel worker tasks.")
    .addHelpText("after", help)
  declareWatching(tasks)
  declareChanging(tasks)
  declareMaking(tasks)
}
