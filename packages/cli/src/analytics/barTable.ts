import stringWidth from "string-width"
import { type Column, table } from "../terminal/Table.ts"
import { visibleText } from "../terminal/visibleText.ts"
import { bar } from "./bars.ts"

const widest = 40
const narrowest = 10
const gap = 2

/** A number of a row; its column is as wide as it needs, and right-aligned. */
export interface NumberColumn<A> {
  readonly title: string
  readonly cell: (row: A) => string
}

const aligned = <A>({ cell, title }: NumberColumn<A>, rows: ReadonlyArray<A>): Column<A> => {
  const width = Math.max(title.length, ...rows.map((row) => cell(row).length))
  return { title: title.padStart(width), cell: (row) => cell(row).padStart(width), isWhole: true }
}

const widthOf = <A>(column: Column<A>, rows: ReadonlyArray<A>): number =>
  Math.max(...[column.title, ...rows.map(column.cell)].map((cell) => stringWidth(visibleText(cell)))) + gap

/** Rows with their numbers and a bar, no wider than `width` terminal columns. Names give way before numbers and bars do. */
export const barTable = <A>(
  rows: ReadonlyArray<A>,
  names: ReadonlyArray<Column<A>>,
  numbers: ReadonlyArray<NumberColumn<A>>,
  share: (row: A) => { readonly value: number; readonly most: number },
  width: number
): string => {
  const columns = [...names, ...numbers.map((column) => aligned(column, rows))]
  const taken = columns.reduce((sum, column) => sum + widthOf(column, rows), 0)
  const barWidth = Math.min(widest, Math.max(narrowest, width - taken))
  const bars: Column<A> = {
    title: "",
    cell: (row) => {
      const { most, value } = share(row)
      return bar(value, most, barWidth)
    },
    isWhole: true
  }
  return table([...columns, bars], rows, width)
}
