import { pageOf } from "@clicks/core/values/Parameter"
import type { Command } from "commander"
import { action, groupHelp, json } from "../process/command.ts"
import { withParameters } from "../process/parameterOptions.ts"

const help = `
A click with an invalid value, such as "north" as a latitude, is stored without
that value, and the original is kept in the quarantine with the reason. Clicks
that the database rejects entirely are kept only in the quarantine.

Examples:
  clicks quarantine list
  clicks quarantine list --limit 1000 --json | jq -r .entries[].original
  clicks quarantine clear --before 2026-11-01`

const load = () => import("./quarantine.ts")

/** Declares `clicks quarantine` and its subcommands. */
export const declareQuarantine = (program: Command): void => {
  const quarantine = program
    .command("quarantine")
    .description("List or clear originals of clicks with invalid values.")
    .addHelpText(...groupHelp(help))
  withParameters(quarantine.command("list"), { limit: pageOf("entries").limit })
    .description("List the newest entries with their reasons, and the total.")
    .option(...json("the entries, with click ids and originals,"))
    .action(action(load, "listQuarantine"))
  quarantine
    .command("clear")
    .description("Delete entries permanently. Stored clicks are kept.")
    .requiredOption(
      "--before <time>",
      "delete entries received before this time: 2026-11-01, 2026-11, today, yesterday or 7d"
    )
    .option("--tz <zone>", "time zone of --before, such as Europe/Berlin (default UTC)")
    .option(...json("the number of deleted entries"))
    .action(action(load, "clearQuarantine"))
}
