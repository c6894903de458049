import type { Command } from "commander"
import { action } from "../process/command.ts"
import { settingTexts } from "../settings/settingTexts.ts"
import { wrapText } from "../terminal/wrapText.ts"

const settings = Object.entries(settingTexts)
  .map(([name, text]) => wrapText(text, 30, `  ${name}`))
  .join("\n")

const settingsHelp = `
Settings (environment variables):
${settings}
`

const declareStart = (program: Command): void => {
  program
    .command("start")
    .description(
      "Run everything on this machine: database (unless DATABASE_URL is set), migrations, HTTP server and worker. The first run prints an admin key."
    )
    .option("--stop-with-parent", "stop when the parent process exits")
    .addHelpText(
      "after",
      `${settingsHelp}\nExamples:\n  clicks start\n  PORT=8080 CLICKS_DATA_DIR=/var/lib/clicks clicks start`
    )
    .action(action(() => import("./start.ts"), "start", "service"))
}

const declareServe = (program: Command): void => {
  program
    .command("serve")
    .description(
      "Run only the HTTP server. Any number of servers can share one database and, with --share-port, one port."
    )
    .option("--share-port", "share the port with other processes that use --share-port")
    .addHelpText(
      "after",
      `${settingsHelp}\nExamples:\n  DATABASE_URL=postgres://clicks:secret@db/clicks clicks serve\n  CLICKS_PROCESS_PORT=3001 clicks serve --share-port`
    )
    .action(action(() => import("./start.ts"), "serve", "service"))
}

const declareMigrate = (program: Command): void => {
  program
    .command("migrate")
    .description(
      "Migrate the database schema. Prints the applied migrations. Other commands migrate automatically; use this to migrate before a deployment."
    )
    .addHelpText("after", "\nExample:\n  DATABASE_URL=postgres://clicks:secret@db/clicks clicks migrate")
    .action(action(() => import("./migrateDatabase.ts"), "migrateDatabase"))
}

const declareDoctor = (program: Command): void => {
  program
    .command("doctor")
    .description(
      "Diagnose problems: check data folder, port, spool, database, schema, clock and quarantine. Exits with 1 if a check fails."
    )
    .addHelpText("after", "\nExample:\n  clicks doctor")
    .action(action(() => import("./doctor/doctor.ts"), "doctor"))
}

/** Declares `clicks start`, `serve`, `migrate` and `doctor`. */
export const declareService = (program: Command): void => {
  declareStart(program)
  declareServe(program)
  declareMigrate(program)
  declareDoctor(program)
}
