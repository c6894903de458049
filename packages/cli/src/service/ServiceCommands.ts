import type { Command } from "commander"
import { settingTexts } from "../program/settingTexts.ts"
import { wrapText } from "../program/wrapText.ts"

const settings = Object.entries(settingTexts)
  .map(([name, takes]) => wrapText(takes, 30, `  ${name}`))
  .join("\n")

const settingsHelp = `
Settings are variables of the environment:
${settings}
`

const declareStart = (program: Command): void => {
  program
    .command("start")
    .summary("run everything on this machine")
    .description(
      "Runs everything on this machine: the database (or that of DATABASE_URL), migrations, the HTTP server and the worker. Makes an admin key on the first run."
    )
    .option("--json", "print where it listens as JSON")
    .option("--stop-with-parent", "stop when the process that started this one ends", false)
    .addHelpText(
      "after",
      `${settingsHelp}\nExamples:\n  clicks start\n  PORT=8080 CLICKS_DATA_DIR=/var/lib/clicks clicks start`
    )
    .action(async (options) => {
      const [{ run }, { start }] = await Promise.all([import("../program/run.ts"), import("./start.ts")])
      run(start(options), "service")
    })
}

const declareServe = (program: Command): void => {
  program
    .command("serve")
    .summary("run the HTTP server alone")
    .description(
      "Runs the HTTP server alone. Any number of them can share one database; with --share-port, also one port of this machine."
    )
    .option(
      "--share-port",
      "let other processes that were started with --share-port use the same port",
      false
    )
    .option("--json", "print where it listens as JSON")
    .addHelpText(
      "after",
      `${settingsHelp}\nExamples:\n  DATABASE_URL=postgres://clicks:secret@db/clicks clicks serve\n  CLICKS_PROCESS_PORT=3001 clicks serve --share-port`
    )
    .action(async (options) => {
      const [{ run }, { serve }] = await Promise.all([import("../program/run.ts"), import("./start.ts")])
      run(serve(options), "service")
    })
}

const declareMigrate = (program: Command): void => {
  program
    .command("migrate")
    .summary("bring the database's schema up to date")
    .description(
      "Brings the database's schema up to date and prints the changes. The other commands do so themselves; this is for deployments that want it done before."
    )
    .option("--json", "print the changes as JSON")
    .addHelpText("after", "\nExample:\n  DATABASE_URL=postgres://clicks:secret@db/clicks clicks migrate")
    .action(async (options) => {
      const [{ run }, { migrateDatabase }] = await Promise.all([
        import("../program/run.ts"),
        import("./migrateDatabase.ts")
      ])
      run(migrateDatabase(options))
    })
}

const declareDoctor = (program: Command): void => {
  program
    .command("doctor")
    .summary("check everything that Clicks needs")
    .description(
      "Checks Node, the data folder, the port, the spool, the database and its schema, clock and quarantine. Ends with 1 when something is broken."
    )
    .option("--json", "print what was found as JSON")
    .addHelpText("after", "\nExample:\n  clicks doctor")
    .action(async (options) => {
      const [{ run }, { doctor }] = await Promise.all([
        import("../program/run.ts"),
        import("./doctor/doctor.ts")
      ])
      run(doctor(options))
    })
}

/** Declares `clicks start`, `serve`, `migrate` and `doctor`. */
export const declareService = (program: Command): void => {
  declareStart(program)
  declareServe(program)
  declareMigrate(program)
  declareDoctor(program)
}
