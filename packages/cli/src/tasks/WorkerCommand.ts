import { type Command, InvalidArgumentError } from "commander"

const help = `
It takes tasks from the queue, at most MAX_CONCURRENT_TASKS at a time, and
fires the crawl schedules. "clicks start" has one inside. Any number of
workers may share one database: no task is done by two, and a worker that dies
is relieved within 30 seconds. SIGTERM lets running tasks end for 30 seconds
and hands back the rest.

Examples:
  DATABASE_URL=postgres://clicks:secret@db/clicks clicks worker
  MAX_CONCURRENT_TASKS=20 clicks worker --port 9400   # /livez and /metrics`

const port = (text: string): number => {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (number >= 0 && number <= 65_535) return number
  throw new InvalidArgumentError("It takes a port from 0 to 65535.")
}

/** Declares `clicks worker`. */
export const declareWorker = (program: Command): void => {
  program
    .command("worker")
    .summary("run a worker alone")
    .description("Runs a worker alone, until a signal stops it.")
    .option("--port <port>", "answer /livez and /metrics on this port", port)
    .option("--json", "print that it is ready as JSON", false)
    .addHelpText("after", help)
    .action(async (options) => {
      const [{ run }, { worker }] = await Promise.all([import("../program/run.ts"), import("./worker.ts")])
      run(worker(options), "service")
    })
}
