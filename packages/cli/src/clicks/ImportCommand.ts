import { type Command, InvalidArgumentError } from "commander"
import { action, collect, json } from "../process/command.ts"
import { wrapText } from "../terminal/wrapText.ts"

const toDelimiter = (text: string): string => {
  const delimiter = text === "tab" || text === "\\t" ? "\t" : text
  if (/^[\t\x20-\x7e]$/.test(delimiter)) return delimiter
  throw new InvalidArgumentError('Expected one ASCII character, or "tab".')
}

const toSeconds = (text: string): number => {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError("Expected a whole number of seconds, at most 999999.")
}

const fields =
  "product_id, action, source, store_id, brand_id, campaign_id, dispensary_name, page_type, url_path, visitor_city, visitor_state, visitor_lat, visitor_lng, visitor_id, session_id, user_id, ip_address, user_agent, device_type, occurred_at, received_at, client_occurred_at, id"

const help = `
Columns fill the fields of the same name; other columns are skipped.
${wrapText(fields, 2, "The fields: ")}

--map field=column           fill the field from this column, or from this key
                             of a JSON object
--map 'field=text {column}'  fill the field from a template; {month:02} pads
                             with zeros to two characters; {{ and }} are
                             literal braces
--map field=                 leave the field empty, even if there is a column
                             of the same name

You can import a file again, or resume an interrupted import, without
duplicates: a row without an id gets one derived from its content and the rows
before it. Invalid rows are rejected with their line numbers; all others are
imported. If a quote in a CSV file is not closed within 2 MiB, the import stops
and prints the line of the quote. Fix it and import the file again.

Exit codes: 0 success, 1 failure, 2 usage error, 3 success with rejected rows.

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
    .description(
      "Import clicks from a file: CSV with a header row (any delimiter), NDJSON or a JSON array, optionally gzipped. The format is detected from the content."
    )
    .argument("<file>", "file to import; - for standard input")
    .option("--map <field=column>", "fill a field from a column (repeatable)", collect)
    .option("--set <field=value>", "set a field to the same value in all rows (repeatable)", collect)
    .option(
      "--delimiter <character>",
      'CSV delimiter if detection fails: one character, or "tab"',
      toDelimiter
    )
    .option("--rejects <file>", "file for rejected rows, as NDJSON with line number and reason")
    .option("--force", "overwrite the --rejects file", false)
    .option("--dry-run", "validate without storing; needs no database; duplicates are not checked")
    .option(
      "--namespace <text>",
      "text that distinguishes this file's rows from identical rows in other files"
    )
    .option(
      "--retry-for <seconds>",
      "seconds to wait for an unavailable database; 0 fails at once",
      toSeconds,
      30
    )
    .option(...json("the counts"))
    .addHelpText("after", help)
    .action(action(() => import("./importFile.ts"), "importFile"))
}
