import { type Command, InvalidArgumentError } from "commander"
import { action, json } from "../process/command.ts"
import { settingTexts } from "../settings/settingTexts.ts"
import { wrapText } from "../terminal/wrapText.ts"

const settings = Object.entries(settingTexts)
  .map(([name, text]) => wrapText(text, 30, `  ${name}`))
  .join("\n")

const settingsHelp = `
Settings (environment variables):
${settings}
`

/** Declares `clicks start`, `serve` and `migrate`. */
export const declareServers = (program: Command): void => {
  program
    .command("start")
    .description(
      "Run everything on this machine: database (unless DATABASE_URL is set), migrations, HTTP server and worker. The first run prints an admin key."
    )
    .option("--stop-with-parent", "stop when the parent process exits")
    .option(...json("the URL, a login link and a new admin key"))
    .addHelpText(
      "after",
      `${settingsHelp}\nExamples:\n  clicks start\n  PORT=8080 CLICKS_DATA_DIR=/var/lib/clicks clicks start`
    )
    .action(action(() => import("./start.ts"), "start", "service"))
  program
    .command("serve")
    .description(
      "Run only the HTTP server. Any number of servers can share one database and, with --share-port, one port."
    )
    .option("--share-port", "share the port with other processes that use --share-port")
    .option(...json("the URL"))
    .addHelpText(
      "after",
      `${settingsHelp}\nExamples:\n  DATABASE_URL=postgres://clicks:secret@db/clicks clicks serve\n  CLICKS_PROCESS_PORT=3001 clicks serve --share-port`
    )
    .action(action(() => import("./start.ts"), "serve", "service"))
  program
    .command("migrate")
    .description(
      "Migrate the database schema. Prints the applied migrations. Other commands migrate automatically; use this to migrate before a deployment."
    )
    .option(...json("the applied migrations"))
    .addHelpText("after", "\nExample:\n  DATABASE_URL=postgres://clicks:secret@db/clicks clicks migrate")
    .action(action(() => import("./migrateDatabase.ts"), "migrateDatabase"))
}

/** Declares `clicks doctor`. */
export const declareDoctor = (program: Command): void => {
  program
    .command("doctor")
    .description(
      "Diagnose problems: check data folder, port, spool, database, schema, clock, quarantine and archive. Exits with 1 if a check fails."
    )
    .option(...json("the checks and whether all passed"))
    .addHelpText("after", "\nExample:\n  clicks doctor")
    .action(action(() => import("./doctor/doctor.ts"), "doctor"))
}

const workerHelp = `
A worker runs up to MAX_CONCURRENT_TASKS tasks at once and queues scheduled
crawls when they are due. "clicks start" includes a worker. Any number of
workers can share one database: each task runs on one worker, and tasks of a
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
    .option(...json("the task limit and the health URL"))
    .addHelpText("after", workerHelp)
    .action(action(() => import("../tasks/worker.ts"), "worker", "service"))
}
