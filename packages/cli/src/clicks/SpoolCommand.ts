import type { Command } from "commander"
import { action, groupHelp, json } from "../process/command.ts"

const help = `
Clicks wait in the spool while the database is unavailable. When it is back, a
running service stores them, including those of services that have ended. If a
file is damaged, the clicks that can be read are stored and the file is renamed
to damaged-*.log. Inspect that file, then delete it.

Examples:
  clicks spool status
  clicks spool drain
  clicks spool check --json`

const load = () => import("./spool.ts")

/** Declares `clicks spool` and its subcommands. */
export const declareSpool = (program: Command): void => {
  const spool = program
    .command("spool")
    .description(
      "Inspect and drain the spool: the clicks in CLICKS_DATA_DIR that wait for the database. Safe while a service is running."
    )
    .addHelpText(...groupHelp(help))
  spool
    .command("status")
    .description("Show how many clicks are waiting, since when, and how much space they take.")
    .option(...json("the folder and the counts"))
    .action(action(load, "spoolStatus"))
  spool
    .command("drain")
    .description(
      "Store the waiting clicks of services that have ended. Exits with 1 when the database is unavailable."
    )
    .option(...json("the numbers of stored and remaining clicks"))
    .action(action(load, "drainSpool"))
  spool
    .command("check")
    .description(
      "Read every file of the spool and verify its checksums. Exits with 1 when a file is damaged."
    )
    .option(...json("the number of readable clicks and the damaged files"))
    .action(action(load, "checkSpool"))
}
