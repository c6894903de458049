import { type Command, Option } from "commander"
import { withFilterOptions } from "./FilterOptions.ts"

const help = `
What it writes, "clicks import" reads back without loss. The file of --out
appears when it is whole, and is packed when its name ends with .gz. In CSV a
text that a spreadsheet would take for a formula has a ' before it. "clicks
import" removes it from a file that has all the columns of an export.

Examples:
  clicks export > clicks.ndjson
  clicks export --from 2026-11 --before 2026-12 --out november.csv
  clicks export --campaign-id spring-sale --out spring-sale.ndjson.gz`

/** Declares `clicks export`. */
export const declareExport = (program: Command): void => {
  withFilterOptions(program.command("export"))
    .summary("write stored clicks to a file")
    .description("Writes stored clicks, newest first, to standard output or a file, however many there are.")
    .addOption(
      new Option("--format <format>", "default: as the name of --out says, else ndjson").choices([
        "csv",
        "ndjson"
      ])
    )
    .option("--out <file>", "write there instead of standard output")
    .option("--force", "replace the file of --out if it exists", false)
    .option("--json", "with --out, print how many clicks were written as JSON")
    .addHelpText("after", help)
    .action(async (options) => {
      const [{ run }, { exportClicks }] = await Promise.all([
        import("../program/run.ts"),
        import("./exportClicks.ts")
      ])
      run(exportClicks(options))
    })
}
