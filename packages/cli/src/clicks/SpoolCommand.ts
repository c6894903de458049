import type { Command } from "commander"

const help = `
Clicks wait in the spool while the database is unavailable. A running service
stores them as soon as the database is back, and those of services that have
ended. When a file turns out to be damaged, all clicks that can be read are
stored and the file is renamed to damaged-*.log. Inspect it and delete it.

Examples:
  clicks spool status
  clicks spool drain
  clicks spool check --json`

const load = () => Promise.all([import("../process/run.ts"), import("./spool.ts")])

/** Declares `clicks spool` with what can be done to it. */
export const declareSpool = (program: Command): void => {
  const spool = program
    .command("spool")
    .summary("inspect and drain clicks waiting for the database")
    .description(
      "Inspects and drains the spool in CLICKS_DATA_DIR, where clicks wait for the database. Safe while a service is running."
    )
    .addHelpText("after", help)
  spool
    .command("status")
    .description("Shows how many clicks are waiting, since when, and how much space they take.")
    .option("--json", "print it as JSON")
    .addHelpText("after", "\nExample:\n  clicks spool status --json | jq .depth")
    .action(async (options) => {
      const [{ run }, { spoolStatus }] = await load()
      run(spoolStatus(options))
    })
  spool
    .command("drain")
    .description(
      "Stores the waiting clicks of services that have ended. Exits with 1 when the database is unavailable."
    )
    .option("--json", "print the counts as JSON")
    .addHelpText("after", "\nExample:\n  clicks spool drain")
    .action(async (options) => {
      const [{ run }, { drainSpool }] = await load()
      run(drainSpool(options))
    })
  spool
    .command("check")
    .description(
      "Reads every file of the spool and verifies its checksums. Exits with 1 when a file is damaged."
    )
    .option("--json", "print the findings as JSON")
    .addHelpText("after", "\nExample:\n  clicks spool check --json")
    .action(async (options) => {
      const [{ run }, { checkSpool }] = await load()
      run(checkSpool(options))
    })
}
