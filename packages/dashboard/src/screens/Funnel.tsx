import type { AnswerOf } from "../api/endpoints.ts"
import { useRead } from "../api/useLoad.ts"
import { FunnelChart } from "../charts/FunnelChart.tsx"
import { Change } from "../parts/Change.tsx"
import { Panel } from "../parts/Panel.tsx"
import { Segments } from "../parts/Segments.tsx"
import { type Column, number } from "../parts/Table.tsx"
import { Value } from "../parts/Value.tsx"
import { address } from "../state/address.ts"
import { comparedScope } from "../state/filters.ts"
import { actionNames, count, difference, percent } from "../state/format.ts"

type Answer = AnswerOf<"GET", "/api/analytics/funnel">
type Branch = Pick<Answer["groups"][number], "steps" | "compare">

const groupings = { campaign_id: "Campaign", product_id: "Product", store_id: "Store" } as const
type Grouping = keyof typeof groupings

const chosen = (): Grouping => {
  const group = address.value["group"] ?? ""
  return group in groupings ? (group as Grouping) : "campaign_id"
}

const Groupings = () => (
  <Segments
    label="Funnel by"
    choices={Object.entries(groupings).map(([name, title]) => ({
      title,
      changes: { group: name === "campaign_id" ? "" : name },
      isChosen: chosen() === name
    }))}
  />
)

const stepsOf = ({ steps }: Branch) =>
  steps.map(({ action, click_rate_from_previous: rate, clicks }) => ({ action, clicks, rate }))

const times = (value: number): string => `${count(value)} ${value === 1 ? "time" : "times"}`

const summaryOf = ({ totals }: Answer): string => {
  const [view, open, store] = totals?.steps ?? []
  if (view === undefined || open === undefined || store === undefined) return ""
  const opened = `Of ${count(view.clicks)} views, ${count(open.clicks)} led to opening the product (${percent(open.click_rate_from_view)})`
  return `${opened}, and ${count(store.clicks)} to the store (${percent(store.click_rate_from_view)}). Products were also compared ${times(totals?.compare.clicks ?? 0)}.`
}

type Step = Branch["compare"] | Branch["steps"][number]

const stepColumns: ReadonlyArray<Column<Step>> = [
  { title: "Step", value: ({ action }) => actionNames[action] ?? action },
  number("Clicks", ({ clicks }) => clicks),
  number("Visitors", ({ visitors }) => visitors),
  number("Clicks per view", (step) => step.click_rate_from_view),
  number("Clicks per previous step", (step) =>
    "click_rate_from_previous" in step ? step.click_rate_from_previous : null
  )
]

const rateOf = (branch: Branch | undefined) => branch?.steps[2]?.click_rate_from_view ?? null

type Group = Answer["groups"][number]

/** A column of rates that has a name of its own; `hint` says what it divides. */
const rate = (title: string, hint: string, value: (group: Group) => number | null | undefined) => ({
  ...number(title, value, percent),
  head: <span title={hint}>{title}</span>
})

const groupColumns: ReadonlyArray<Column<Group>> = [
  number("Views", ({ steps: [view] }) => view?.clicks, count),
  number("Compares", ({ compare }) => compare.clicks, count),
  number("Product opens", ({ steps: [, open] }) => open?.clicks, count),
  rate("Open rate", "product opens per view", ({ steps: [, open] }) => open?.click_rate_from_previous),
  number("Store opens", ({ steps: [, , store] }) => store?.clicks, count),
  rate(
    "Store rate",
    "store opens per product open",
    ({ steps: [, , store] }) => store?.click_rate_from_previous
  ),
  number("Store opens per view", ({ steps: [, , store] }) => store?.click_rate_from_view, percent),
  {
    title: "Change",
    class: "number",
    show: (group) => <Change value={difference(rateOf(group), rateOf(group.previous))} inPoints />
  }
]

const valueColumn = (field: Grouping): Column<Group> => ({
  title: groupings[field],
  value: (group) => group[field],
  show: (group) => <Value field={field} value={group[field]} />
})

/** The funnel from views to store opens, in total and by campaign, product or store. */
export const Funnel = () => {
  const field = chosen()
  // A filter by action would leave only one step.
  const { action: _, ...scope } = comparedScope.value
  const query = { ...scope, group_by: field, totals: "true", limit: "50" }
  const loaded = useRead("/api/analytics/funnel", query)
  return (
    <>
      <h1>Funnel</h1>
      <Panel
        title="Conversion funnel"
        loaded={loaded}
        isEmpty={({ groups }) => groups.length === 0}
        summary={summaryOf}
        table={({ totals }) => ({
          columns: stepColumns,
          rows: totals ? [...totals.steps, totals.compare] : []
        })}
      >
        {({ totals }) => totals && <FunnelChart steps={stepsOf(totals)} />}
      </Panel>
      <Panel
        title={`Funnel by ${groupings[field].toLowerCase()}`}
        hint="most clicks of all four actions first"
        loaded={loaded}
        tools={<Groupings />}
        table={({ groups }) => ({
          columns: [valueColumn(field), ...groupColumns],
          rows: groups,
          class: "ranking"
        })}
      />
    </>
  )
}
