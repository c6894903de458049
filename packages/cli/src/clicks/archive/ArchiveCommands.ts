import type { Command } from "commander"
import { action, groupHelp, json } from "../../process/command.ts"

const help = `
With CLICKHOUSE_URL, a worker moves clicks from PostgreSQL to ClickHouse, where
older clicks are kept. "clicks start" includes a worker. While ClickHouse is
down, clicks wait in PostgreSQL; nothing is lost.

Examples:
  clicks archive status
  clicks archive move
  clicks archive verify --json
  clicks archive adopt`

const load = () => import("./archive.ts")

/** Declares `clicks archive` and its subcommands. */
export const declareArchive = (program: Command): void => {
  const archive = program
    .command("archive")
    .description("Inspect the archive of older clicks in ClickHouse, move clicks to it, and verify it.")
    .addHelpText(...groupHelp(help))
  archive
    .command("status")
    .description("Show how many clicks are in the archive, how many wait to be moved, and since when.")
    .option(...json("the counts, the lag and the state of ClickHouse"))
    .action(action(load, "archiveStatus"))
  archive
    .command("move")
    .description("Move all waiting clicks, as a worker does, and exit. Safe while workers are running.")
    .option(...json("the numbers of moved and waiting clicks"))
    .action(action(load, "moveToArchive"))
  archive
    .command("verify")
    .description(
      "Recount PostgreSQL and the archive: compare the newest batches with the recorded counts and checksums, and the clicks of each day with the sum of its actions. Exits with 1 if a count is wrong."
    )
    .option(...json("the numbers of checked clicks, days and batches, and the differences,"))
    .action(action(load, "verifyArchive"))
  archive
    .command("adopt")
    .description(
      "Let a database that was restored from a backup or moved to another server use its archive again, once nothing else uses it. Clicks that the backup lacks are taken back from the archive."
    )
    .option(...json("how many clicks were taken back"))
    .action(action(() => import("./adopt.ts"), "adoptArchive"))
}
