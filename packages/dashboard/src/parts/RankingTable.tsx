import { Sparkline } from "../charts/Sparkline.tsx"
import { follow } from "../state/address.ts"
import { count, percent } from "../state/format.ts"
import { Change } from "./Change.tsx"
import { type Column, changeOf, type Row } from "./rankingColumns.ts"
import { Scroll } from "./Scroll.tsx"
import { Value } from "./Value.tsx"

/** The order of the rows, as the service knows it. */
export interface Order {
  readonly sort: string
  readonly order: "asc" | "desc"
}

const SortLink = ({ by, column: { hint, sort, title } }: { readonly column: Column; readonly by: Order }) => {
  if (sort === undefined) return <span title={hint}>{title}</span>
  const isSorted = by.sort === sort
  const next = isSorted && by.order === "desc" ? "asc" : ""
  return (
    <a
      {...follow({ sort: sort === "total" ? "" : sort, order: next })}
      title={hint ?? `Sort by ${title.toLowerCase()}`}
    >
      {title}
      {isSorted && <span aria-hidden="true">{by.order === "desc" ? " ↓" : " ↑"}</span>}
    </a>
  )
}

const sortedOf = (column: Column, { order, sort }: Order) =>
  column.sort === sort ? (order === "desc" ? "descending" : "ascending") : undefined

interface FigureProps {
  readonly column: Column
  readonly row: Row
  /** The largest share of the rows. */
  readonly most: number
}

const Figure = ({ column, most, row }: FigureProps) => {
  const value = column.valueOf(row)
  if (column.kind === "change") return <Change value={changeOf(row)} isNew={row.previous?.clicks === 0} />
  if (column.title !== "Share") return <>{column.kind === "count" ? count(value) : percent(value)}</>
  return (
    <span class="share">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="rest" width="100" height="6" rx="3" />
        <rect class="part" width={most === 0 ? 0 : ((value ?? 0) / most) * 100} height="6" rx="3" />
      </svg>
      <span>{percent(value)}</span>
    </span>
  )
}

interface RankingTableProps {
  readonly field: keyof Row
  readonly title: string
  /** What one of its values is called. */
  readonly noun: string
  readonly rows: ReadonlyArray<Row>
  readonly columns: ReadonlyArray<Column>
  readonly by: Order
  /** Whether the titles of the columns lead to other orders. */
  readonly isSortable: boolean
  /** The days of a row, if there is a line to draw. */
  readonly trendOf?: ((key: string | null) => ReadonlyArray<number>) | undefined
}

/** Values of a field with their figures. */
export const RankingTable = ({
  by,
  columns,
  field,
  isSortable,
  noun,
  rows,
  title,
  trendOf
}: RankingTableProps) => {
  const most = Math.max(0, ...rows.map(({ share }) => share ?? 0))
  return (
    <Scroll label={`${title}, table`}>
      <table class="ranking">
        <thead>
          <tr>
            <th scope="col">{noun.charAt(0).toUpperCase() + noun.slice(1)}</th>
            {trendOf && (
              <th scope="col" class="trend">
                Trend
              </th>
            )}
            {columns.map((column) => (
              <th scope="col" class="number" key={column.title} aria-sort={sortedOf(column, by)}>
                {isSortable ? (
                  <SortLink column={column} by={by} />
                ) : (
                  <span title={column.hint}>{column.title}</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = row[field] as string | null
            return (
              <tr key={key}>
                <th scope="row">
                  <Value field={field} value={key} />
                </th>
                {trendOf && (
                  <td class="trend">
                    <Sparkline values={trendOf(key)} />
                  </td>
                )}
                {columns.map((column) => (
                  <td class="number" key={column.title}>
                    <Figure column={column} row={row} most={most} />
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </Scroll>
  )
}
