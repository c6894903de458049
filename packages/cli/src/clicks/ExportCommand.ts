import { type Command, Option } from "commander"
import { action } from "../process/command.ts"
import { withFilterOptions } from "./FilterOptions.ts"

const help = `
"clicks import" reads an export back without loss. The --out file appears only
when it is complete; a name that ends with .gz compresses it. In CSV, texts that
a spreadsheet would run as a formula are prefixed with '. "clicks import"
removes the prefix from files that have all columns of an export. Times are
in UTC.

Examples:
  clicks export > clicks.ndjson
  clicks export --from 2026-11 --before 2026-12 --out november.csv
  clicks export --campaign-id spring-sale --out spring-sale.ndjson.gz`

/** Declares `clicks export`. */
export const declareExport = (program: Command): void => {
  withFilterOptions(program.command("export"))
    .summary("export clicks to a file")
    .description("Export all matching clicks to standard output or a file, newest first.")
    .addOption(
      new Option("--format <format>", "default: from the extension of --out, else ndjson").choices([
        "csv",
        "ndjson"
      ])
    )
    .option("--out <file>", "file to write (default: standard output)")
    .option("--force", "overwrite the --out file", false)
    .option("--json", "with --out, print the number of clicks as JSON")
    .addHelpText("after", help)
    .action(action(() => import("./exportClicks.ts"), "exportClicks"))
}
