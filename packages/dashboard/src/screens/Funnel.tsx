import { read } from "../api/client.ts"
import type { AnswerOf } from "../api/endpoints.ts"
import { useLoad } from "../api/useLoad.ts"
import { FunnelChart } from "../charts/FunnelChart.tsx"
import { Change } from "../parts/Change.tsx"
import { Panel } from "../parts/Panel.tsx"
import { Scroll } from "../parts/Scroll.tsx"
import { Value } from "../parts/Value.tsx"
import { address, follow } from "../state/address.ts"
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
  <ul class="segments" aria-label="Funnel by">
    {Object.entries(groupings).map(([name, title]) => (
      <li key={name}>
        <a
          {...follow({ group: name === "campaign_id" ? "" : name })}
          aria-current={chosen() === name ? "true" : undefined}
        >
          {title}
        </a>
      </li>
    ))}
  </ul>
)

const stepsOf = ({ steps }: Branch) =>
  steps.map(({ action, click_rate_from_previous: rate, clicks }) => ({ action, clicks, rate }))

const summaryOf = ({ totals }: Answer): string => {
  const [view, open, store] = totals?.steps ?? []
  if (view === undefined || open === undefined || store === undefined) return ""
  const opened = `Of ${count(view.clicks)} views, ${count(open.clicks)} led to opening the product (${percent(open.click_rate_from_view)})`
  return `${opened}, and ${count(store.clicks)} to the store (${percent(store.click_rate_from_view)}). Beside them, products were compared ${count(totals?.compare.clicks)} times.`
}

const stepTable = ({ totals }: Answer) => ({
  titles: ["Step", "Clicks", "Visitors", "Clicks per view", "Clicks per step before"],
  rows: [
    ...(totals?.steps ?? []).map((step) => [
      actionNames[step.action] ?? step.action,
      step.clicks,
      step.visitors,
      step.click_rate_from_view,
      step.click_rate_from_previous
    ]),
    ...(totals
      ? [
          [
            "Compares",
            totals.compare.clicks,
            totals.compare.visitors,
            totals.compare.click_rate_from_view,
            null
          ]
        ]
      : [])
  ]
})

const rateOf = (branch: Branch | undefined) => branch?.steps[2]?.click_rate_from_view ?? null

const titles = [
  "Views",
  "Compares",
  "Product opens",
  "per view",
  "Store opens",
  "per product open",
  "per view"
]

const figuresOf = ({ compare, steps: [view, open, store] }: Branch) =>
  [
    [view?.clicks, count],
    [compare.clicks, count],
    [open?.clicks, count],
    [open?.click_rate_from_previous, percent],
    [store?.clicks, count],
    [store?.click_rate_from_previous, percent],
    [store?.click_rate_from_view, percent]
  ] as const

const Groups = ({ answer: { groups }, field }: { readonly answer: Answer; readonly field: Grouping }) => (
  <Scroll label="Funnels, table">
    <table class="ranking">
      <thead>
        <tr>
          <th scope="col">{groupings[field]}</th>
          {titles.map((title, index) => (
            <th scope="col" class="number" key={`${index} ${title}`}>
              {title}
            </th>
          ))}
          <th scope="col" class="number">
            Change
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <tr key={group[field]}>
            <th scope="row">
              <Value field={field} value={group[field]} />
            </th>
            {figuresOf(group).map(([value, format], index) => (
              <td class="number" key={titles[index]}>
                {format(value)}
              </td>
            ))}
            <td class="number">
              <Change value={difference(rateOf(group), rateOf(group.previous))} inPoints />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)

/** From views to opened stores, altogether and for each campaign, product or store. */
export const Funnel = () => {
  const field = chosen()
  // A funnel of one action would be no funnel.
  const { action: _, ...scope } = comparedScope.value
  const query = { ...scope, group_by: field, totals: "true", limit: "50" }
  const loaded = useLoad(`funnel ${JSON.stringify(query)}`, (signal) =>
    read("/api/analytics/funnel", query, signal)
  )
  const isEmpty = ({ groups }: Answer) => groups.length === 0
  return (
    <>
      <h1>Funnel</h1>
      <Panel
        title="From view to store"
        loaded={loaded}
        isEmpty={isEmpty}
        summary={summaryOf}
        table={stepTable}
      >
        {({ totals }) => totals && <FunnelChart steps={stepsOf(totals)} />}
      </Panel>
      <Panel
        title={`Funnel by ${groupings[field].toLowerCase()}`}
        loaded={loaded}
        isEmpty={isEmpty}
        isTable
        tools={<Groupings />}
        table={({ groups }) => ({
          titles: [groupings[field], ...titles],
          rows: groups.map((group) => [
            group[field] ?? null,
            ...figuresOf(group).map(([value]) => value ?? null)
          ])
        })}
      >
        {(answer) => <Groups answer={answer} field={field} />}
      </Panel>
    </>
  )
}
