import { pageParameters } from "@clicks/core/clicks/ClickFilter"
import { type Command, Option } from "commander"
import { action, json } from "../../process/command.ts"
import { withParameters } from "../../process/parameterOptions.ts"
import { withFilterOptions } from "../FilterOptions.ts"

const listHelp = `
The table shows the columns that fit the terminal, with times in the time zone
of --tz. Other formats have all columns, with times in UTC.

Examples:
  clicks list
  clicks list --from 2026-11-01 --before 2026-12-01 --campaign-id spring-sale
  clicks list --from yesterday --before today --tz America/Phoenix
  clicks list --product-id p-1001 --limit 1000 --format csv > p-1001.csv
  clicks list --json | jq .total`

const exportHelp = `
"clicks import" reads an export back without loss. The --out file appears only
when it is complete; a name that ends with .gz compresses it. In CSV, texts that
a spreadsheet would run as a formula are prefixed with '. "clicks import"
removes the prefix from files that have all columns of an export. Times are
in UTC.

Examples:
  clicks export > clicks.ndjson
  clicks export --from 2026-11 --before 2026-12 --out november.csv
  clicks export --campaign-id spring-sale --out spring-sale.ndjson.gz`

const tailHelp = `
Each click is printed once, when it is stored, even if it occurred earlier. If
the connection to the database is lost, tail waits and then prints the clicks
stored in the meantime. Stop with Ctrl-C.

Examples:
  clicks tail
  clicks tail --campaign-id spring-sale
  clicks tail --json | jq -c '{product_id, action}'`

const showHelp = `
The status is one of:
  stored       committed to the database; position is its place in the stream
  spooled      on this machine's disk, until the database is back
  quarantined  rejected by the database; see "clicks quarantine"

Fails if the click is none of these: it was never accepted, was dropped, is
older than CLICKS_RETENTION_DAYS, or waits in the spool of another machine.

Example:
  clicks show 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a`

/** Declares `clicks list`, `clicks export`, `clicks tail` and `clicks show`. */
export const declareReading = (program: Command): void => {
  withParameters(withFilterOptions(program.command("list")), pageParameters)
    .description("List matching clicks, newest first, and their total.")
    .addOption(
      new Option("--format <format>", "output format; json is the HTTP API's JSON")
        .choices(["table", "json", "ndjson", "csv"])
        .default("table")
    )
    .option("--json", "same as --format json")
    .addHelpText("after", listHelp)
    .action(action(() => import("./listClicks.ts"), "listClicks"))
  withFilterOptions(program.command("export"))
    .description("Export all matching clicks, newest first. Writes to standard output or a file.")
    .addOption(
      new Option("--format <format>", "default: the extension of --out, else ndjson").choices([
        "csv",
        "ndjson"
      ])
    )
    .option("--out <file>", "file to write (default: standard output)")
    .option("--force", "overwrite the --out file", false)
    .option("--json", "with --out, print the number of clicks as JSON")
    .addHelpText("after", exportHelp)
    .action(action(() => import("./exportClicks.ts"), "exportClicks"))
  withFilterOptions(program.command("tail"))
    .description("Print new clicks as they are stored.")
    .option("--json", "print clicks as NDJSON")
    .addHelpText("after", tailHelp)
    .action(action(() => import("./tail.ts"), "tail"))
  program
    .command("show")
    .description("Show what became of a click: its status and its fields.")
    .argument("<id>", "the Click-Id header of the response to the recorded click")
    .option(...json("the status and the click"))
    .addHelpText("after", showHelp)
    .action(action(() => import("./showClick.ts"), "showClick"))
}
