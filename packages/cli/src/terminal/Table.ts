import stringWidth from "string-width"
import { visibleText } from "./visibleText.ts"

export interface Column<A> {
  readonly title: string
  readonly cell: (row: A) => string
  /** Never cut, however narrow the terminal is, such as an id that is to be copied. */
  readonly isWhole?: boolean
  /** Right-aligned and never cut. */
  readonly isNumber?: boolean
  /** Left out if it is empty in every row. */
  readonly isOptional?: boolean
}

const gap = "  "
const minWidth = 4

const segmenter = new Intl.Segmenter()

/** Cuts the text to a number of terminal columns and ends it with …; wide characters take two columns. */
export const fit = (text: string, width: number): string => {
  if (stringWidth(text) <= width) return text
  let fitted = ""
  for (const { segment } of segmenter.segment(text)) {
    if (stringWidth(fitted + segment) > width - 1) break
    fitted += segment
  }
  return `${fitted}…`
}

interface Layout {
  readonly cells: ReadonlyArray<string>
  readonly width: number
  readonly canShrink: boolean
  readonly isNumber: boolean
}

const layOut = <A>(
  { cell, isNumber = false, isWhole = false, title }: Column<A>,
  rows: ReadonlyArray<A>
): Layout => {
  const cells = [title, ...rows.map((row) => visibleText(cell(row)))]
  const width = Math.max(...cells.map((text) => stringWidth(text)))
  return { cells, width, canShrink: !isWhole && !isNumber, isNumber }
}

/** Terminal columns that a table takes when nothing is cut. */
export const naturalWidth = <A>(columns: ReadonlyArray<Column<A>>, rows: ReadonlyArray<A>): number =>
  columns.reduce((sum, column) => sum + layOut(column, rows).width + gap.length, -gap.length)

/** Narrows the widest columns, one terminal column at a time, until the excess is gone. */
const shrink = (layouts: ReadonlyArray<Layout>, excess: number): ReadonlyArray<number> => {
  const widths = layouts.map(({ width }) => width)
  for (; excess > 0; excess--) {
    const widest = Math.max(...widths.filter((_, index) => layouts[index]?.canShrink))
    if (widest <= minWidth) break
    widths[widths.findIndex((width, index) => width === widest && layouts[index]?.canShrink)] = widest - 1
  }
  return widths
}

const pad = (text: string, width: number, isNumber: boolean): string => {
  const space = " ".repeat(Math.max(0, width - stringWidth(text)))
  return isNumber ? space + text : text + space
}

/**
 * Rows under their titles, no wider than `width` terminal columns if the columns that are never cut allow it. Control
 * characters in cells are made visible.
 */
export const table = <A>(all: ReadonlyArray<Column<A>>, rows: ReadonlyArray<A>, width: number): string => {
  const columns = all.filter(({ cell, isOptional }) => !isOptional || rows.some((row) => cell(row) !== ""))
  const layouts = columns.map((column) => layOut(column, rows))
  const widths = shrink(layouts, naturalWidth(columns, rows) - width)
  const lineOf = (row: number) =>
    layouts.map(({ cells, isNumber }, column) => {
      const cellWidth = widths[column] ?? 0
      return pad(fit(cells[row] ?? "", cellWidth), cellWidth, isNumber)
    })
  return [...rows.keys(), rows.length].map((row) => lineOf(row).join(gap).trimEnd()).join("\n")
}
