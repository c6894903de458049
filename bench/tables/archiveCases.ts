import type { Effect } from "effect"
import type { ClickAnalytics } from "../../packages/core/src/analytics/ClickAnalytics.ts"
import type { ClickAnalyticsError } from "../../packages/core/src/analytics/ClickAnalyticsError.ts"
import type { AnalyticsQuery } from "../../packages/core/src/analytics/groups/AnalyticsQuery.ts"
import type { ClickFilter } from "../../packages/core/src/clicks/ClickFilter.ts"
import { listingCases } from "./listingCases.ts"

/** A page of the archive that is measured. `bar`: milliseconds that its p50 may take. */
export interface PageCase {
  readonly name: string
  readonly group: string
  readonly filter: ClickFilter
  readonly offset: number
  readonly bar: number
}

// The groups of listings, by their targets on PostgreSQL.
const groups = new Map([
  [10, { group: "no or a single filter", bar: 60 }],
  [50, { group: "two filters", bar: 150 }]
])

const threes: ReadonlyArray<ClickFilter> = [
  { brand_id: "b-0", campaign_id: "c-0", source: "web" },
  { store_id: "s-0", brand_id: "b-0", action: "view" },
  { product_id: "p-0", store_id: "s-0", source: "web" }
]

export const pageCases: ReadonlyArray<PageCase> = [
  ...listingCases.flatMap(({ bar, filter, name, offset }) => {
    const group = groups.get(bar ?? 0)
    return group === undefined || offset !== 0 ? [] : [{ ...group, name, filter, offset }]
  }),
  ...threes.map((filter) => ({
    name: Object.values(filter).join(", "),
    group: "three filters",
    bar: 400,
    filter,
    offset: 0
  })),
  { name: "offset 10,000,000", group: "offset 10,000,000", bar: 100, filter: {}, offset: 10_000_000 }
]

export interface CountCase {
  readonly name: string
  readonly bar: number | undefined
  readonly count: (analytics: ClickAnalytics["Service"]) => Effect.Effect<unknown, ClickAnalyticsError>
}

const all = {
  filter: {},
  ranking: { sort: "total", descending: true, without: [] },
  pivot: false,
  totals: false,
  visitors: false,
  limit: 20
} as const satisfies Partial<AnalyticsQuery>

const daily = { interval: "day", timeZone: "UTC" } as const
const funnel = { filter: { campaign_id: "c-0" }, groupBy: "campaign_id", totals: false, limit: 1 } as const

export const countCases: ReadonlyArray<CountCase> = [
  {
    name: "by day and action",
    bar: 100,
    count: ({ groups }) => groups({ ...all, groupBy: ["action"], axis: daily })
  },
  { name: "top 20 products", bar: 500, count: ({ groups }) => groups({ ...all, groupBy: ["product_id"] }) },
  {
    name: "funnel of a campaign",
    bar: 300,
    count: (analytics) => analytics.funnel({ ...funnel, visitors: false })
  },
  {
    name: "funnel of a campaign, with visitors",
    bar: undefined,
    count: (analytics) => analytics.funnel({ ...funnel, visitors: true })
  },
  {
    name: "by day in Phoenix, with visitors, 30 days",
    bar: undefined,
    count: ({ groups }) =>
      groups({
        ...all,
        filter: { from: new Date("2026-01-01T07:00:00Z"), to: new Date("2026-01-31T06:59:59.999Z") },
        groupBy: [],
        axis: { interval: "day", timeZone: "America/Phoenix" },
        visitors: true
      })
  }
]
