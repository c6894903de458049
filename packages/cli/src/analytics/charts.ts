import { styleText } from "node:util"
import type { Column } from "../terminal/Table.ts"

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

/** A bar, to the eighth of a terminal column; at least one eighth for any positive value. */
const bar = (value: number, max: number, width: number): string => {
  if (value <= 0) return ""
  const length = Math.max(1, Math.round((value / max) * width * 8))
  return "█".repeat(length >> 3) + (eighths[length & 7] ?? "")
}

/** A column of bars at the end of a table, each relative to the largest value of `rows`, or to what `maxOf` returns for its row. */
export const bars = <A>(
  rows: ReadonlyArray<A>,
  valueOf: (row: A) => number,
  maxOf?: (row: A) => number
): Column<A> => {
  const max = rows.reduce((most, row) => Math.max(most, valueOf(row)), 0)
  return {
    title: "",
    cell: (row, room) => bar(valueOf(row), maxOf?.(row) ?? max, room),
    fills: [10, 40]
  }
}

const blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

/** Merges neighbours, so that at most `width` values are left. */
const merged = (values: ReadonlyArray<number>, width: number): ReadonlyArray<number> => {
  const size = Math.ceil(values.length / Math.max(1, width))
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size).reduce((sum, value) => sum + value, 0)
  )
}

/** A character per value, its height relative to `max` or the largest value; neighbours are merged to fit the width. */
export const sparkline = (
  values: ReadonlyArray<number>,
  width = Number.POSITIVE_INFINITY,
  max?: number
): string => {
  if (values.length === 0) return ""
  const shown = merged(values, Math.min(width, values.length))
  const top = max ?? shown.reduce((a, b) => Math.max(a, b), 0)
  return shown
    .map((value) => blocks[top === 0 ? 0 : Math.min(7, Math.ceil((value / top) * 7))] ?? "")
    .join("")
}

const chart = /[▁▂▃▄▅▆▇█▏▎▍▌▋▊▉]+(?: *[▁▂▃▄▅▆▇█]+)*$/u

/**
 * Colours a table: bold titles, green growth, red decline, cyan bars. `styleText` leaves the colours out unless FORCE_COLOR, NO_COLOR
 * and the terminal on standard output allow them.
 */
export const painted = (table: string): string => {
  const [titles = "", ...rows] = table.split("\n")
  const lines = rows.map((row) =>
    row
      .replace(chart, (text) => styleText("cyan", text))
      .replaceAll(/(?<= )(?:\+[\d,.]+%|new)(?= |$)/g, (text) => styleText("green", text))
      .replaceAll(/(?<= )−[\d,.]+%(?= |$)/g, (text) => styleText("red", text))
  )
  return [styleText("bold", titles), ...lines].join("\n")
}
