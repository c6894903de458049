import { type Column, naturalWidth, table } from "../terminal/Table.ts"

const maxWidth = 40
const minWidth = 10
const gap = 2

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

/** A bar, to the eighth of a terminal column; at least one eighth for any positive value. */
const bar = (value: number, max: number, width: number): string => {
  if (value <= 0) return ""
  const length = Math.max(1, Math.round((value / max) * width * 8))
  return "█".repeat(length >> 3) + (eighths[length & 7] ?? "")
}

/** A table whose rows end with a bar. Names are cut before numbers and bars are. */
export const barTable = <A>(
  rows: ReadonlyArray<A>,
  columns: ReadonlyArray<Column<A>>,
  share: (row: A) => { readonly value: number; readonly max: number },
  width: number
): string => {
  const barWidth = Math.min(maxWidth, Math.max(minWidth, width - naturalWidth(columns, rows) - gap))
  const cell = (row: A) => {
    const { max, value } = share(row)
    return bar(value, max, barWidth)
  }
  return table([...columns, { title: "", cell, isWhole: true }], rows, width)
}
