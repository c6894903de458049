import type { ComponentChildren } from "preact"
import { dateTime } from "../state/dates.ts"
import { zone } from "../state/range.ts"
import { Scroll } from "./Scroll.tsx"

/** A value in CSV. */
export type Cell = string | number | null

/** A column of a table. */
export interface Column<Row> {
  readonly title: string
  /** Shown instead of the title. */
  readonly head?: ComponentChildren
  readonly sorted?: "ascending" | "descending" | undefined
  /** The value for CSV. A column without `value` is omitted there. */
  readonly value?: (row: Row) => Cell | undefined
  /** The content of a cell; by default, its value. */
  readonly show?: (row: Row) => ComponentChildren
  /** The intensity of a cell's colour, from 0 to 1. */
  readonly tint?: (row: Row) => number
  readonly class?: string
}

/** Rows and columns. The first column contains the names of the rows. */
export interface TableData<Row> {
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  /** Identifies a row; by default, the value of the first column. */
  readonly keyOf?: (row: Row) => string
  readonly class?: string
  readonly rowClass?: (row: Row) => string
}

const plain = (value: Cell | undefined): string =>
  typeof value === "number" ? value.toLocaleString("en", { maximumFractionDigits: 3 }) : (value ?? "–")

/** A column of numbers. */
export const number = <Row,>(
  title: string,
  value: (row: Row) => number | null | undefined,
  format: (value: number | null | undefined) => ComponentChildren = plain
): Column<Row> => ({ title, class: "number", value, show: (row) => format(value(row)) })

/** A column of instants. */
export const time = <Row,>(title: string, value: (row: Row) => string | null): Column<Row> => ({
  title,
  value,
  show: (row) => {
    const instant = value(row)
    return instant === null ? "–" : dateTime(instant, zone.value)
  }
})

const shown = <Row,>({ show, value }: Column<Row>, row: Row) =>
  show ? show(row) : <bdi>{plain(value?.(row))}</bdi>

/** A table that may be wider than the screen. */
export const Table = <Row,>({
  columns,
  keyOf,
  label,
  rowClass,
  rows,
  ...table
}: TableData<Row> & { readonly label: string }) => {
  const [first, ...others] = columns
  if (first === undefined) return null
  return (
    <Scroll label={`${label}, table`}>
      <table class={table.class}>
        <thead>
          <tr>
            {columns.map(({ head, sorted, title, ...column }, index) => (
              <th
                scope="col"
                class={column.class}
                key={`${index} ${title}`}
                aria-label={head === undefined ? undefined : title}
                aria-sort={sorted}
              >
                {head ?? title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf?.(row) ?? first.value?.(row)} class={rowClass?.(row)}>
              <th scope="row" class={first.class}>
                {shown(first, row)}
              </th>
              {others.map((column, index) => (
                <td
                  class={column.class}
                  style={column.tint && { "--tint": column.tint(row) }}
                  key={`${index} ${column.title}`}
                >
                  {shown(column, row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
