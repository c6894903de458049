import { type Command, Option } from "commander"

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

const load = () => Promise.all([import("../program/run.ts"), import("./tasks.ts")])
const loadEnqueue = () => Promise.all([import("../program/run.ts"), import("./enqueue.ts")])

const asJson = ["--json", "print what the HTTP API answers", false] as const
const priority = ["--priority <number>", "the highest goes first, from -1000 to 1000 (default 0)"] as const

const declareWatching = (tasks: Command): void => {
  tasks
    .command("list")
    .description(
      "Shows tasks, the newest first, and how many there are. Errors are cut to the width of the terminal; show and --json have them whole."
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
    .option("--limit <count>", "tasks to show, 1 to 1000 (default 100)")
    .option("--offset <count>", "tasks to pass over")
    .option(...asJson)
    .addHelpText("after", "\nExample:\n  clicks tasks list --state failed --kind store-crawl --limit 20")
    .action(async (options) => {
      const [{ run }, { listTasks }] = await load()
      run(listTasks(options))
    })
  tasks
    .command("show")
    .description("Shows everything that is known of a task, its whole error among it.")
    .argument("<id>", "the task's id")
    .option(...asJson)
    .addHelpText("after", "\nExample:\n  clicks tasks show 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a")
    .action(async (id, options) => {
      const [{ run }, { showTask }] = await load()
      run(showTask(id, options))
    })
  tasks
    .command("batch")
    .description("Shows how far a batch is, and its tasks.")
    .argument("<id>", "the batch's id")
    .option(...asJson)
    .addHelpText(
      "after",
      "\nExample:\n  clicks tasks batch 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a --json | jq .progress"
    )
    .action(async (id, options) => {
      const [{ run }, { showBatch }] = await load()
      run(showBatch(id, options))
    })
}

const declareChanging = (tasks: Command): void => {
  tasks
    .command("retry")
    .description("Gives a failed task another attempt.")
    .argument("<id>", "the task's id")
    .option(...asJson)
    .addHelpText("after", "\nExample:\n  clicks tasks retry 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a")
    .action(async (id, options) => {
      const [{ run }, { retryTask }] = await load()
      run(retryTask(id, options))
    })
  tasks
    .command("cancel")
    .description("Calls a task off; one that runs is interrupted.")
    .argument("<id>", "the task's id")
    .option(...asJson)
    .addHelpText("after", "\nExample:\n  clicks tasks cancel 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a")
    .action(async (id, options) => {
      const [{ run }, { cancelTask }] = await load()
      run(cancelTask(id, options))
    })
}

const declareMaking = (tasks: Command): void => {
  tasks
    .command("discover")
    .description("Queues the discovery of the stores of states.")
    .argument("<states...>", "two letters of each state, or DC")
    .option("--stagger-seconds <seconds>", "from one state to the next (default 0)")
    .option(...priority)
    .option(...asJson)
    .addHelpText("after", "\nExample:\n  clicks tasks discover AZ CA DC --stagger-seconds 60")
    .action(async (states, options) => {
      const [{ run }, { discoverStores }] = await loadEnqueue()
      run(discoverStores(states, options))
    })
  tasks
    .command("enqueue")
    .description("Queues tasks of one kind as a batch, at most 1,000.")
    .argument("<kind>", "such as store-crawl")
    .argument("<payloads...>", "a JSON value for each task; - reads one a line from standard input")
    .option("--delay-seconds <seconds>", "from one task to the next (default 0)")
    .option("--start-at <time>", "start of the first one, ISO 8601; without it, at once")
    .option(...priority)
    .option(...asJson)
    .addHelpText("after", enqueueHelp)
    .action(async (kind, payloads, options) => {
      const [{ run }, { enqueueTasks }] = await loadEnqueue()
      run(enqueueTasks(kind, payloads, options))
    })
}

/** Declares `clicks tasks` with what can be done to them. */
export const declareTasks = (program: Command): void => {
  const tasks = program
    .command("tasks")
    .summary("queue, watch, retry and cancel tasks")
    .description("Queues, watches, retries and cancels the workers' tasks.")
    .addHelpText("after", help)
  declareWatching(tasks)
  declareChanging(tasks)
  declareMaking(tasks)
}
