import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import * as ClickCsv from "@clicks/http/clicks/ClickCsv"
import * as ClickJson from "@clicks/http/clicks/ClickJson"
import { visibleJson, visibleText } from "../../terminal/visibleText.ts"

/** Clicks as lines, as the HTTP API exports them. */
export interface ClickLines {
  readonly header: string
  readonly line: (event: ClickEvent) => string
}

export const ndjson: ClickLines = {
  header: "",
  line: (event) => `${visibleJson(ClickJson.text(event))}\n`
}

export type LineFormat = "csv" | "ndjson"

/** The lines of a format; for a terminal, without control characters. */
export const linesOf = (format: LineFormat, toTerminal: boolean): ClickLines => {
  if (format === "ndjson") return ndjson
  const shown = (text: string) => (toTerminal ? `${visibleText(text.trimEnd())}\n` : text)
  return { header: shown(ClickCsv.header), line: (event) => shown(ClickCsv.row(event)) }
}
