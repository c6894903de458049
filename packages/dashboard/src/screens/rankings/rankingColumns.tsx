import type { AnswerOf } from "../../api/endpoints.ts"
import { Change } from "../../parts/Change.tsx"
import { type Column, number } from "../../parts/Table.tsx"
import { follow } from "../../state/address.ts"
import { count, gain as gained, growth, percent, ratio } from "../../state/format.ts"

export type Row = AnswerOf<"GET", "/api/analytics/product-clicks">["groups"][number]

/** The order of the rows, as parameters of the service. */
export interface Order {
  readonly sort: string
  readonly order: "asc" | "desc"
}

/** A column of figures. `sort`: the value of the service's parameter that sorts by this column. */
interface Figure extends Column<Row> {
  readonly hint?: string
  readonly sort?: string
}

const action = (title: string, name: keyof NonNullable<Row["actions"]>): Figure => ({
  ...number(title, ({ actions }) => actions?.[name] ?? 0, count),
  sort: name
})

const changeOf = ({ clicks, previous }: Row): number | null => growth(clicks, previous?.clicks)

/** The change in clicks, shown when the rows are sorted by it: the percentages are in another order. */
const gain: Figure = {
  ...number("Gain", ({ change }) => change?.clicks, gained),
  hint: "clicks more or fewer than before",
  sort: "change"
}

const changed: Figure = {
  ...number("Change", changeOf),
  show: (row) => <Change value={changeOf(row)} isNew={row.previous?.clicks === 0} />
}

/** The share of all clicks, with a bar. A bar of full length stands for `most`. */
const share = (most: number): Figure => ({
  ...number("Share", ({ share }) => share),
  hint: "of all clicks",
  show: ({ share: value }) => (
    <span class="share">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="rest" width="100" height="6" rx="3" />
        <rect class="part" width={most === 0 ? 0 : ((value ?? 0) / most) * 100} height="6" rx="3" />
      </svg>
      <span>{percent(value)}</span>
    </span>
  )
})

const others: ReadonlyArray<Figure> = [
  action("Views", "view"),
  action("Compares", "compare"),
  action("Product opens", "open_product"),
  {
    ...number("Open rate", ({ actions }) => ratio(actions?.open_product, actions?.view), percent),
    hint: "product opens per view"
  },
  action("Store opens", "open_store"),
  {
    ...number("Store rate", ({ actions }) => ratio(actions?.open_store, actions?.open_product), percent),
    hint: "store opens per product open"
  },
  action("Other", "other"),
  number("Visitors", ({ visitors }) => visitors, count)
]

const SortLink = ({ by, figure: { hint, sort, title } }: { readonly figure: Figure; readonly by: Order }) => {
  const isSorted = by.sort === sort
  const next = isSorted && by.order === "desc" ? "asc" : ""
  return (
    <a
      {...follow({ sort: sort === "total" || sort === undefined ? "" : sort, order: next })}
      title={hint ?? `Sort by ${title.toLowerCase()}`}
    >
      {title}
      {isSorted && <span aria-hidden="true">{by.order === "desc" ? "\u00a0↓" : "\u00a0↑"}</span>}
    </a>
  )
}

/** The columns of a ranking, with the change if `isCompared`. A click on a title sorts by it. */
export const figuresOf = (
  rows: ReadonlyArray<Row>,
  isCompared: boolean,
  by: Order
): ReadonlyArray<Column<Row>> => {
  const clicks: Figure = { ...number("Clicks", (row) => row.clicks, count), sort: "total" }
  const most = Math.max(0, ...rows.map((row) => row.share ?? 0))
  const compared = isCompared ? [{ ...changed, sort: "change" }] : []
  // The gain takes the place of the share, so that the table still fits a laptop.
  const measures = by.sort === "change" ? [gain, changed] : [...compared, share(most)]
  return [clicks, ...measures, ...others].map((figure) => {
    const { hint, sort, title, ...column } = figure
    return {
      ...column,
      title,
      head: sort ? <SortLink figure={figure} by={by} /> : hint && <span title={hint}>{title}</span>,
      sorted: sort === by.sort ? (by.order === "desc" ? "descending" : "ascending") : undefined
    }
  })
}
