import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import type { Loaded } from "../api/useLoad.ts"
import { type Cell, csvOf, save } from "../state/csv.ts"
import { range } from "../state/range.ts"
import { Scroll } from "./Scroll.tsx"

/** The figures of a panel as a table. */
interface TableData {
  readonly titles: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
}

const slug = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")

const fileName = (title: string): string => `clicks-${slug(title)}-${range.value.from}.csv`

/** Why there is nothing to see. */
export const Problem = ({ status, message }: { readonly status: number; readonly message: string }) => (
  <p class="problem" role="alert">
    {status === 403 ? `Your key may not see this. ${message}.` : message}
  </p>
)

/** A table with all figures of a chart. */
const DataTable = ({ caption, titles, rows }: TableData & { readonly caption: string }) => (
  <Scroll label={`${caption}, as a table`}>
    <table class="data">
      <thead>
        <tr>
          {titles.map((title, index) => (
            <th scope="col" class={index === 0 ? "" : "number"} key={title}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row[0]}>
            {row.map((cell, index) =>
              index === 0 ? (
                <th scope="row" key={titles[index]}>
                  <bdi>{cell ?? "none given"}</bdi>
                </th>
              ) : (
                <td class="number" key={titles[index]}>
                  {typeof cell === "number"
                    ? cell.toLocaleString("en", { maximumFractionDigits: 3 })
                    : (cell ?? "–")}
                </td>
              )
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)

interface PanelProps<A> {
  readonly title: string
  /** What the title leaves open. */
  readonly hint?: string
  /** One sentence that says what the figures show. */
  readonly summary?: (data: A) => string
  readonly loaded: Loaded<A>
  readonly isEmpty: (data: A) => boolean
  readonly table: (data: A) => TableData
  readonly children: (data: A) => ComponentChildren
  /** Whether what the panel shows is a table already. */
  readonly isTable?: boolean
  readonly tools?: ComponentChildren
  readonly empty?: string
  /** What follows the figures, also where there are none. */
  readonly footer?: ComponentChildren
}

const nothing = "No clicks in this range. Choose a longer range, or remove a filter."

/** A part of a screen: a title, what it shows, its figures as a table and as CSV; and while it loads, is empty or fails, what to know. */
export function Panel<A>(props: PanelProps<A>) {
  const {
    children,
    empty = nothing,
    footer,
    hint,
    isEmpty,
    isTable = false,
    loaded,
    summary,
    table,
    title,
    tools
  } = props
  const [asTable, setAsTable] = useState(false)
  const { data, error, isLoading } = loaded
  const hasFigures = data !== undefined && !isEmpty(data)
  const toCsv = () => {
    if (data === undefined) return
    const { rows, titles } = table(data)
    save(fileName(title), csvOf(titles, rows))
  }
  return (
    <section class="panel" aria-labelledby={slug(title)} aria-busy={isLoading}>
      <header>
        <h2 id={slug(title)}>
          {title} {hint && <span class="hint">{hint}</span>}
        </h2>
        <div class="tools">
          {tools}
          {hasFigures && !isTable && (
            <button type="button" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
              Table
            </button>
          )}
          {hasFigures && (
            <button type="button" onClick={toCsv} aria-label={`${title} as CSV`}>
              CSV
            </button>
          )}
        </div>
      </header>
      {hasFigures && summary && <p class="summary">{summary(data)}</p>}
      {error && <Problem status={error.status} message={error.message} />}
      {!error && data === undefined && (
        <div class="skeleton" role="status" aria-label={`${title} is loading`} />
      )}
      {!error && data !== undefined && isEmpty(data) && <p class="empty">{empty}</p>}
      {hasFigures && (asTable ? <DataTable caption={title} {...table(data)} /> : children(data))}
      {data !== undefined && footer}
    </section>
  )
}
