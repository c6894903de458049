import { type Command, InvalidArgumentError } from "commander"
import { action } from "../process/command.ts"

const help = `
A worker runs up to MAX_CONCURRENT_TASKS tasks at once and queues the crawls of
crawl schedules when they are due. "clicks start" includes a worker. Any number
of workers can share one database: each task runs on one worker, and tasks of a
dead worker are reassigned within 30 s. On SIGTERM, running tasks have 30 s to
finish; those that do not finish return to the queue.

Examples:
  DATABASE_URL=postgres://clicks:secret@db/clicks clicks worker
  MAX_CONCURRENT_TASKS=20 clicks worker --port 9400   # /livez and /metrics`

const port = (text: string): number => {
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError("Expected 0 to 65535.")
}

/** Declares `clicks worker`. */
export const declareWorker = (program: Command): void => {
  program
    .command("worker")
    .description("Run only a worker.")
    .option("--port <port>", "serve /livez and /metrics on this port", port)
    .addHelpText("after", help)
    .action(action(() => import("./worker.ts"), "worker", "service"))
}
