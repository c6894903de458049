import { read } from "../../api/client.ts"
import type { AnswerOf } from "../../api/endpoints.ts"
import { useLoad, useRead } from "../../api/useLoad.ts"
import { Sparkline } from "../../charts/Sparkline.tsx"
import { Panel } from "../../parts/Panel.tsx"
import { Segments } from "../../parts/Segments.tsx"
import type { Column, TableData } from "../../parts/Table.tsx"
import { Value } from "../../parts/Value.tsx"
import { address } from "../../state/address.ts"
import { begun } from "../../state/buckets.ts"
import { comparedScope, type FilterField, scope } from "../../state/filters.ts"
import { actionNames, clicksName, count, percent, quoted } from "../../state/format.ts"
import { comparison, range } from "../../state/range.ts"
import { figuresOf, type Order, type Row } from "./rankingColumns.tsx"

type Answer = AnswerOf<"GET", "/api/analytics/product-clicks">

/** The order in the address, which all rankings of a screen share. */
const chosenOrder = (): Order => {
  const { order, sort = "total" } = address.value
  const isKnown = sort !== "change" || comparison.value !== "none"
  return { sort: isKnown ? sort : "total", order: order === "asc" ? "asc" : "desc" }
}

const measureOf = ({ sort }: Order): string =>
  sort === "change" ? "change in clicks" : (actionNames[sort]?.toLowerCase() ?? "clicks")

/** Clicks over time by value of a field, for the sparklines in the rows. */
const useTrends = (field: FilterField, by: Order, limit: string, wanted: boolean) => {
  const query = {
    ...scope.value,
    group_by: field,
    interval: range.value.interval,
    visitors: "false",
    sort: by.sort,
    order: by.order,
    limit
  }
  // Without the comparison, sorting by change would fail.
  const compared = by.sort === "change" ? { ...query, ...comparedScope.value } : query
  const key = wanted ? `trends ${JSON.stringify(compared)}` : ""
  const { data } = useLoad<Answer | undefined>(key, async (signal) =>
    wanted ? await read("/api/analytics/product-clicks", compared, signal) : undefined
  )
  const byKey = Map.groupBy(begun(data?.groups ?? []), (row) => row[field])
  return (value: string | null) => (byKey.get(value) ?? []).map(({ clicks }) => clicks)
}

const orders = [
  { title: "Most clicks", sort: "", order: "" },
  { title: "Rising", sort: "change", order: "" },
  { title: "Falling", sort: "change", order: "asc" }
] as const

const Movers = () => {
  const { order = "", sort = "" } = address.value
  if (comparison.value === "none") return null
  const choices = orders.map(({ title, ...changes }) => ({
    title,
    changes,
    isChosen: changes.sort === sort && changes.order === order
  }))
  return <Segments label="Order" choices={choices} />
}

export interface RankingProps {
  readonly field: FilterField
  readonly title: string
  /** Singular and plural of the values. */
  readonly noun: readonly [string, string]
  readonly limit?: string
  /** The main ranking of a screen has sparklines, and the order in its title. */
  readonly isMain?: boolean
}

/** The values of a field by their clicks. */
export const Ranking = ({ field, isMain = false, limit = "50", noun, title }: RankingProps) => {
  const by = chosenOrder()
  const loaded = useRead("/api/analytics/product-clicks", {
    ...comparedScope.value,
    group_by: field,
    pivot: "action",
    totals: "true",
    sort: by.sort,
    order: by.order,
    limit
  })
  const trendOf = useTrends(field, by, limit, isMain)
  const summaryOf = ({ groups, total }: Answer): string => {
    const first = groups.find((row) => row[field] !== null)
    const number = `${count(total)} ${total === 1 ? noun[0] : noun[1]}`
    const cut = total > groups.length ? `, ${groups.length} shown` : ""
    const share = first?.share == null ? "" : `, ${percent(first.share)} of all clicks`
    return first === undefined
      ? ""
      : `${number}${cut}. First: ${quoted(String(first[field]))}, ${clicksName(first.clicks)}${share}.`
  }
  const name: Column<Row> = {
    title: noun[0].charAt(0).toUpperCase() + noun[0].slice(1),
    value: (row) => row[field],
    show: (row) => <Value field={field} value={row[field]} />
  }
  const trend: Column<Row> = {
    title: "Trend",
    class: "trend",
    show: (row) => <Sparkline values={trendOf(row[field] ?? null)} isOpen={range.value.isOpen} />
  }
  const tableOf = ({ groups }: Answer): TableData<Row> => ({
    columns: [name, ...(isMain ? [trend] : []), ...figuresOf(groups, comparison.value !== "none", by)],
    rows: groups,
    class: "ranking"
  })
  return (
    <Panel
      title={isMain ? `${title} by ${measureOf(by)}` : title}
      loaded={loaded}
      summary={summaryOf}
      tools={isMain && <Movers />}
      table={tableOf}
    />
  )
}
