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
