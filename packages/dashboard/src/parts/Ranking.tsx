import type { ComponentChildren } from "preact"
import { read } from "../api/client.ts"
import type { AnswerOf } from "../api/endpoints.ts"
import { useLoad } from "../api/useLoad.ts"
import { address } from "../state/address.ts"
import { comparedScope, scope } from "../state/filters.ts"
import { count, percent, valueName } from "../state/format.ts"
import { begun, comparison, range } from "../state/range.ts"
import { Panel } from "./Panel.tsx"
import { type Order, RankingTable } from "./RankingTable.tsx"
import { type Column, columnsOf, type Row } from "./rankingColumns.ts"

type Answer = AnswerOf<"GET", "/api/analytics/product-clicks">
type Field =
  | "product_id"
  | "store_id"
  | "brand_id"
  | "campaign_id"
  | "source"
  | "page_type"
  | "device_type"
  | "visitor_state"
  | "visitor_city"

const orderOf = (isMain: boolean): Order => {
  const { order, sort = "total" } = isMain ? address.value : {}
  const isKnown = sort !== "change" || comparison.value !== "none"
  return { sort: isKnown ? sort : "total", order: order === "asc" ? "asc" : "desc" }
}

/** The days of each value of a field, for the lines in its rows. */
const useTrends = (field: Field, by: Order, limit: string, wanted: boolean) => {
  const query = {
    ...scope.value,
    group_by: field,
    interval: range.value.interval,
    visitors: "false",
    sort: by.sort,
    order: by.order,
    limit
  }
  // The order by change needs a comparison, and its rows are those of the ranking then.
  const compared = by.sort === "change" ? { ...query, ...comparedScope.value } : query
  const key = wanted ? `trends ${JSON.stringify(compared)}` : ""
  const { data } = useLoad<Answer | undefined>(key, async (signal) =>
    wanted ? await read("/api/analytics/product-clicks", compared, signal) : undefined
  )
  const byKey = Map.groupBy(begun(data?.groups ?? []), (row) => row[field])
  return (value: string | null) => (byKey.get(value) ?? []).map(({ clicks }) => clicks)
}

const cellsOf = (row: Row, shown: ReadonlyArray<Column>) => shown.map((column) => column.valueOf(row))

interface RankingProps {
  readonly field: Field
  readonly title: string
  /** What one value is called, and several. */
  readonly noun: readonly [string, string]
  readonly limit?: string
  /** Whether it is what the screen is about: its order is in the address, and its rows have lines. */
  readonly isMain?: boolean
  readonly tools?: ComponentChildren
}

/** The values of a field by their clicks. */
export const Ranking = ({ field, isMain = false, limit = "50", noun, title, tools }: RankingProps) => {
  const by = orderOf(isMain)
  const query = {
    ...comparedScope.value,
    group_by: field,
    pivot: "action",
    totals: "true",
    sort: by.sort,
    order: by.order,
    limit
  }
  const loaded = useLoad(`ranking ${JSON.stringify(query)}`, (signal) =>
    read("/api/analytics/product-clicks", query, signal)
  )
  const trendOf = useTrends(field, by, limit, isMain)
  const shown = columnsOf(comparison.value !== "none")
  const summaryOf = ({ groups, total }: Answer): string => {
    const [first] = groups
    const number = `${count(total)} ${total === 1 ? noun[0] : noun[1]}`
    const cut = total > groups.length ? `, of which ${groups.length} are shown` : ""
    const share = first?.share == null ? "" : `, ${percent(first.share)} of all clicks`
    return first === undefined
      ? ""
      : `${number}${cut}. First: ${valueName(first[field])}, ${count(first.clicks)} clicks${share}.`
  }
  return (
    <Panel
      title={title}
      loaded={loaded}
      isTable
      isEmpty={({ groups }) => groups.length === 0}
      summary={summaryOf}
      tools={tools}
      table={({ groups }) => ({
        titles: [noun[0], ...shown.map(({ title }) => title)],
        rows: groups.map((row) => [row[field] ?? null, ...cellsOf(row, shown)])
      })}
    >
      {({ groups }) => (
        <RankingTable
          field={field}
          title={title}
          noun={noun[0]}
          rows={groups}
          columns={shown}
          by={by}
          isSortable={isMain}
          trendOf={isMain ? trendOf : undefined}
        />
      )}
    </Panel>
  )
}
