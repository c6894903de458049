import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import * as ClickCsv from "@clicks/http/clicks/ClickCsv"
import * as ClickJson from "@clicks/http/clicks/ClickJson"
import { visibleJson, visibleText } from "../terminal/visibleText.ts"

/** Clicks as lines, as the HTTP API exports them. */
export interface ClickLines {
  readonly header: string
  readonly line: (event: ClickEvent) => string
}

export const ndjson: ClickLines = {
  header: "",
  line: (event) => `${visibleJson(ClickJson.text(event))}\n`
}

const csv: ClickLines = { header: ClickCsv.header, line: ClickCsv.row }

/** CSV for a terminal, with control characters made visible. */
const csvShown: ClickLines = {
  header: `${ClickCsv.header.trimEnd()}\n`,
  line: (event) => `${visibleText(ClickCsv.row(event).trimEnd())}\n`
}

export type LineFormat = "csv" | "ndjson"

/** The lines of a format, for a terminal without control characters. */
export const linesOf = (format: LineFormat, toTerminal: boolean): ClickLines => {
  if (format === "ndjson") return ndjson
  return toTerminal ? csvShown : csv
}
