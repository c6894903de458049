import type { AnswerOf } from "../api/endpoints.ts"
import { growth, ratio } from "../state/format.ts"

export type Row = AnswerOf<"GET", "/api/analytics/product-clicks">["groups"][number]

/** A column of figures. `sort` is the name that the service knows the order by. */
export interface Column {
  readonly title: string
  readonly hint?: string
  readonly kind: "count" | "percent" | "change"
  readonly sort?: string
  readonly valueOf: (row: Row) => number | null
}

/** The change of a row's clicks; null if there is nothing to compare with. */
export const changeOf = ({ clicks, previous }: Row): number | null => growth(clicks, previous?.clicks)

const action = (title: string, name: keyof NonNullable<Row["actions"]>): Column => ({
  title,
  kind: "count",
  sort: name,
  valueOf: ({ actions }) => actions?.[name] ?? 0
})

const clicks: Column = { title: "Clicks", kind: "count", sort: "total", valueOf: ({ clicks }) => clicks }

const changed: Column = { title: "Change", kind: "change", sort: "change", valueOf: changeOf }

const others: ReadonlyArray<Column> = [
  { title: "Share", hint: "of all clicks", kind: "percent", valueOf: ({ share }) => share ?? null },
  action("Views", "view"),
  action("Compares", "compare"),
  action("Opens", "open_product"),
  {
    title: "Open rate",
    hint: "product opens per view",
    kind: "percent",
    valueOf: ({ actions }) => ratio(actions?.open_product, actions?.view)
  },
  action("To store", "open_store"),
  {
    title: "Store rate",
    hint: "store opens per product open",
    kind: "percent",
    valueOf: ({ actions }) => ratio(actions?.open_store, actions?.open_product)
  },
  action("Other", "other"),
  { title: "Visitors", kind: "count", valueOf: ({ visitors }) => visitors }
]

/** The columns of a ranking, with the change if there is something to compare with. */
export const columnsOf = (isCompared: boolean): ReadonlyArray<Column> =>
  isCompared ? [clicks, changed, ...others] : [clicks, ...others]
