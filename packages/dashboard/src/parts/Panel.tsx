import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import type { Loaded } from "../api/useLoad.ts"
import { range } from "../state/range.ts"
import { csvOf, save } from "./csv.ts"
import { Table, type TableData } from "./Table.tsx"

const slug = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")

const fileName = (title: string): string => `clicks-${slug(title)}-${range.value.from}.csv`

/** The reason why the figures cannot be shown. */
const Problem = ({ status, message }: { readonly status: number; readonly message: string }) => (
  <p class="problem" role="alert">
    {status === 403 ? `Your key does not permit this. ${message}.` : message}
  </p>
)

interface PanelProps<A, Row> {
  readonly title: string
  /** Details beside the title. */
  readonly hint?: string
  /** Summarises the figures in a sentence. */
  readonly summary?: (data: A) => string
  readonly loaded: Loaded<A>
  /** All figures as a table, for the CSV file. The panel shows it if there are no `children` or the user selects Table. */
  readonly table: (data: A) => TableData<Row>
  readonly children?: (data: A) => ComponentChildren
  /** Whether there are no figures. By default, whether the table has no rows. */
  readonly isEmpty?: (data: A) => boolean
  readonly tools?: ComponentChildren
  readonly empty?: string
  /** Why the last change failed. */
  readonly problem?: string
  /** Shown below the figures, even if there are none. */
  readonly footer?: ComponentChildren
}

const nothing = "No clicks in this range. Choose a longer range, or remove a filter."

/** A part of a screen: title, summary and figures, also as a table and as CSV. Shows whether it is loading, empty or failed. */
export function Panel<A, Row>(props: PanelProps<A, Row>) {
  const { children, empty = nothing, footer, hint, loaded, problem, summary, title, tools } = props
  const [asTable, setAsTable] = useState(false)
  const { data, error, isLoading } = loaded
  const table = data && props.table(data)
  const isEmpty = data && (props.isEmpty?.(data) ?? table?.rows.length === 0)
  const hasFigures = data !== undefined && table !== undefined && !isEmpty
  return (
    <section class="panel" aria-labelledby={slug(title)} aria-busy={isLoading}>
      <header>
        <h2 id={slug(title)}>
          {title} {hint && <span class="hint">{hint}</span>}
        </h2>
        <div class="tools">
          {tools}
          {hasFigures && children && (
            <button type="button" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
              Table
            </button>
          )}
          {hasFigures && (
            <button
              type="button"
              onClick={() => save(fileName(title), csvOf(table))}
              aria-label={`${title} as CSV`}
            >
              CSV
            </button>
          )}
        </div>
      </header>
      {hasFigures && summary && <p class="summary">{summary(data)}</p>}
      {error && <Problem status={error.status} message={error.message} />}
      {problem && <Problem status={0} message={problem} />}
      {!error && data === undefined && (
        <div class="skeleton" role="status" aria-label={`${title} is loading`} />
      )}
      {!error && isEmpty && <p class="empty">{empty}</p>}
      {hasFigures && (children && !asTable ? children(data) : <Table label={title} {...table} />)}
      {data !== undefined && footer}
    </section>
  )
}
