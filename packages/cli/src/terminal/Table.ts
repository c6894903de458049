import stringWidth from "string-width"
import { visibleText } from "./visibleText.ts"

export interface Column<A> {
  readonly title: string
  /** `room`: the width of a column that `fills`, else 0. */
  readonly cell: (row: A, room: number) => string
  /** Never cut, even if the terminal is too narrow, such as an id that users copy. */
  readonly isWhole?: boolean
  /** Right-aligned and never cut. */
  readonly isNumber?: boolean
  /** Left out if it is empty in every row. */
  readonly isOptional?: boolean
  /** If the terminal is too narrow, columns with a rank are omitted, the highest rank first, until the others fit. */
  readonly rank?: number
  /** Takes the width that other columns leave, within these limits. */
  readonly fills?: readonly [least: number, most: number]
}

type Columns<A> = ReadonlyArray<Column<A>>

const gap = "  "
const minWidth = 4
// Columns with a rank are omitted before the others shrink below this width.
const readableWidth = 12

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
  { cell, fills: [least, most] = [0, 0], isNumber = false, isWhole = false, title }: Column<A>,
  rows: ReadonlyArray<A>,
  room = 0
): Layout => {
  const width = Math.min(most, Math.max(least, room))
  const cells = [title, ...rows.map((row) => visibleText(cell(row, width)))]
  const canShrink = !isWhole && !isNumber && most === 0
  return { cells, width: Math.max(...cells.map((text) => stringWidth(text))), canShrink, isNumber }
}

const total = (widths: ReadonlyArray<number>): number =>
  widths.reduce((sum, width) => sum + width + gap.length, -gap.length)

/** The width of a table in which nothing is cut, in terminal columns. */
export const naturalWidth = <A>(columns: Columns<A>, rows: ReadonlyArray<A>): number =>
  total(columns.map((column) => layOut(column, rows).width))

/** The columns that fit. */
const fitting = <A>(columns: Columns<A>, rows: ReadonlyArray<A>, width: number): Columns<A> => {
  const needed = columns.map((column) => {
    const layout = layOut(column, rows)
    return layout.canShrink ? Math.min(layout.width, readableWidth) : (column.fills?.[0] ?? layout.width)
  })
  let kept = Array.from(columns.keys())
  const rankOf = (index: number) => columns[index]?.rank ?? 0
  while (total(kept.map((index) => needed[index] ?? 0)) > width) {
    const highest = Math.max(...kept.map(rankOf))
    if (highest === 0) break
    kept = kept.filter((index) => rankOf(index) < highest)
  }
  return columns.filter((_, index) => kept.includes(index))
}

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
 * Rows under their titles, at most `width` terminal columns wide unless columns that are never cut need more. Empty if there are no rows.
 * Control characters in cells are made visible.
 */
export const table = <A>(all: Columns<A>, rows: ReadonlyArray<A>, width: number): string => {
  if (rows.length === 0) return ""
  const filled = all.filter(({ cell, isOptional }) => !isOptional || rows.some((row) => cell(row, 0) !== ""))
  const columns = fitting(filled, rows, width)
  const others = columns.filter(({ fills }) => fills === undefined)
  const room = width - naturalWidth(others, rows) - gap.length
  const layouts = columns.map((column) => layOut(column, rows, room))
  const widths = shrink(layouts, total(layouts.map((layout) => layout.width)) - width)
  const lineOf = (row: number) =>
    layouts.map(({ cells, isNumber }, column) => {
      const cellWidth = widths[column] ?? 0
      return pad(fit(cells[row] ?? "", cellWidth), cellWidth, isNumber)
    })
  return [...rows.keys(), rows.length].map((row) => lineOf(row).join(gap).trimEnd()).join("\n")
}
