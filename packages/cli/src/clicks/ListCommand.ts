import { type Command, Option } from "commander"
import { action } from "../process/command.ts"
import { withFilterOptions } from "./FilterOptions.ts"

const help = `
The table shows the columns that fit the terminal, with times in the time zone
of --tz. Other formats have all columns, with times in UTC.

Examples:
  clicks list
  clicks list --from 2026-11-01 --before 2026-12-01 --campaign-id spring-sale
  clicks list --from yesterday --before today --tz America/Phoenix
  clicks list --product-id p-1001 --limit 1000 --format csv > p-1001.csv
  clicks list --json | jq .total`

/** Declares `clicks list`. */
export const declareList = (program: Command): void => {
  withFilterOptions(program.command("list"))
    .summary("list clicks")
    .description("List matching clicks, newest first, and their total.")
    .option("--limit <count>", "maximum clicks, 1 to 1000 (default 100)")
    .option("--offset <count>", "clicks to skip")
    .option("--cursor <cursor>", "continue a previous listing with the same filters")
    .addOption(
      new Option("--format <format>", "output format; json is the HTTP API's JSON")
        .choices(["table", "json", "ndjson", "csv"])
        .default("table")
    )
    .option("--json", "same as --format json")
    .addHelpText("after", help)
    .action(action(() => import("./listClicks.ts"), "listClicks"))
}
