import stringWidth from "string-width"
import { visibleText } from "./visibleText.ts"

export interface Column<A> {
  readonly title: string
  readonly cell: (row: A) => string
  /** Shown whole however narrow the terminal is: an id that is to be copied. */
  readonly isWhole?: boolean
}

const gap = "  "
const leastWidth = 4

const segmenter = new Intl.Segmenter()

/** The text cut to a number of terminal columns, with … for what is missing. Wide characters take two columns. */
export const fit = (text: string, width: number): string => {
  if (stringWidth(text) <= width) return text
  let fitted = ""
  for (const { segment } of segmenter.segment(text)) {
    if (stringWidth(fitted + segment) > width - 1) break
    fitted += segment
  }
  return `${fitted}…`
}

const pad = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - stringWidth(text)))

const totalOf = (widths: ReadonlyArray<number>): number =>
  widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1)

/** Takes from the widest columns, one terminal column at a time, until the table is no wider than `width`. */
const shrink = (
  natural: ReadonlyArray<number>,
  isWhole: ReadonlyArray<boolean>,
  width: number
): ReadonlyArray<number> => {
  const widths = [...natural]
  for (let excess = totalOf(widths) - width; excess > 0; excess--) {
    const widest = Math.max(...widths.filter((_, index) => !isWhole[index]))
    if (widest <= leastWidth) break
    const index = widths.findIndex((each, at) => each === widest && !isWhole[at])
    widths[index] = widest - 1
  }
  return widths
}

/**
 * Rows under their titles, no wider than `width` columns of a terminal where that can be. Cells are shown by `visibleText`:
 * nothing in them reaches the terminal raw.
 */
export const table = <A>(
  columns: ReadonlyArray<Column<A>>,
  rows: ReadonlyArray<A>,
  width: number
): string => {
  const cells = rows.map((row) => columns.map((column) => visibleText(column.cell(row))))
  const titles = columns.map((column) => column.title)
  const natural = columns.map((_, index) =>
    Math.max(...[titles, ...cells].map((row) => stringWidth(row[index] ?? "")))
  )
  const isWhole = columns.map((column) => column.isWhole === true)
  const widths = shrink(natural, isWhole, width)
  const lineOf = (row: ReadonlyArray<string>) =>
    row
      .map((text, index) => {
        const cellWidth = widths[index] ?? 0
        return pad(fit(text, cellWidth), cellWidth)
      })
      .join(gap)
      .trimEnd()
  return [titles, ...cells].map(lineOf).join("\n")
}
