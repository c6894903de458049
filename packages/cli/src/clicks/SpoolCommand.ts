import type { Command } from "commander"

const help = `
Clicks wait in the spool while the database cannot take them; a service that
runs stores them as soon as it can. A file that turns out to be damaged is set
aside as spool.damaged-<time>.sqlite, and what can be read of it waits again;
the file beside it that ends with .json says what was found. When you have
looked at them, delete both.

Examples:
  clicks spool status
  clicks spool drain
  clicks spool check --json`

const load = () => Promise.all([import("../program/run.ts"), import("./spool.ts")])

/** Declares `clicks spool` with what can be done to it. */
export const declareSpool = (program: Command): void => {
  const spool = program
    .command("spool")
    .summary("look after clicks that wait for the database")
    .description(
      "Looks after the spool of CLICKS_DATA_DIR, where clicks wait for the database. A service may run meanwhile."
    )
    .addHelpText("after", help)
  spool
    .command("status")
    .description("Shows how many clicks wait, since when, and how much space they take.")
    .option("--json", "print it as JSON")
    .addHelpText("after", "\nExample:\n  clicks spool status --json | jq .depth")
    .action(async (options) => {
      const [{ run }, { spoolStatus }] = await load()
      run(spoolStatus(options))
    })
  spool
    .command("drain")
    .description(
      "Stores all that waits, now. Ends with 1 when the database is away; what was stored stays so."
    )
    .option("--json", "print how many were stored as JSON")
    .addHelpText("after", "\nExample:\n  clicks spool drain")
    .action(async (options) => {
      const [{ run }, { drainSpool }] = await load()
      run(drainSpool(options))
    })
  spool
    .command("check")
    .description(
      "Reads every click that waits, and brings back what can be read of damaged files. Ends with 1 while there is something for a person to look at."
    )
    .option("--json", "print what was found as JSON")
    .addHelpText("after", "\nExample:\n  clicks spool check --json")
    .action(async (options) => {
      const [{ run }, { checkSpool }] = await load()
      run(checkSpool(options))
    })
}
