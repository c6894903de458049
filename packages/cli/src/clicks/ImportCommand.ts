import type { Command } from "commander"
import { wrapText } from "../program/wrapText.ts"

const collect = (value: string, earlier: ReadonlyArray<string> = []) => [...earlier, value]

const fields =
  "product_id, action, source, store_id, brand_id, campaign_id, dispensary_name, page_type, url_path, visitor_city, visitor_state, visitor_lat, visitor_lng, user_id, ip_address, user_agent, device_type, occurred_at, received_at, id"

const help = `
A column fills the field of its own name; other columns are passed over.
${wrapText(fields, 2, "The fields: ")}

--map field=column           the field is filled by that column (or that key of
                             a JSON object)
--map 'field=text {column}'  columns in braces are put into a text; {month:02}
                             pads with zeros to two characters, {{ and }} are
                             braces
--map field=                 the field stays empty, although there is a column
                             of its name

Importing a file again, or after it was cut off, stores nothing twice: a row
without an id gets one from its content and the rows before it. A row that
breaks a rule is rejected with its line number; the others are imported.
Where a quote of a CSV file is not closed, or not within 2 MiB, the import ends
with its line number: mend the quote and import the file again.

Exit codes: 0 done, 1 failed, 2 used wrongly, 3 done but rows were rejected.

Examples:
  clicks import clicks.csv
  clicks import clicks.ndjson.gz --rejects rejects.ndjson
  clicks import shop.csv --map product_id=sku --set action=view \\
    --set source=shop --dry-run
  clicks import log.csv --map 'occurred_at={year}-{month:02}-{day:02}' \\
    --set action=view --set source=log
  curl -s https://example.com/clicks.ndjson | clicks import - --json`

/** Declares `clicks import`. */
export const declareImport = (program: Command): void => {
  program
    .command("import")
    .summary("store the clicks of a file")
    .description(
      "Stores the clicks of a file: CSV with a header row (any delimiter), NDJSON or a JSON array, each also gzipped, told apart by their content."
    )
    .argument("<file>", "the file; - is standard input")
    .option("--map <field=column>", "where a field stands (repeatable)", collect)
    .option("--set <field=value>", "give a field of all rows one value (repeatable)", collect)
    .option("--delimiter <character>", "what separates the cells of the CSV file, when it is not told right")
    .option("--rejects <file>", "write rejected rows there, as NDJSON with line number and reason")
    .option("--force", "replace the file of --rejects if it exists", false)
    .option("--dry-run", "judge the rows, store nothing; needs no database")
    .option("--namespace <text>", "keep apart files that begin with the same rows")
    .option("--retry-for <seconds>", "how long to wait for a database that does not answer", "30")
    .option("--json", "print the summary as JSON")
    .addHelpText("after", help)
    .action(async (file, options) => {
      const [{ run }, { importFile }] = await Promise.all([
        import("../program/run.ts"),
        import("./importFile.ts")
      ])
      run(importFile(file, options))
    })
}
