import type { ClickFilter } from "../../packages/core/src/clicks/ClickFilter.ts"
import { firstDay, samples } from "./fillClicks.ts"

/** A measured listing, always a page of 100. */
export interface ListingCase {
  readonly name: string
  readonly filter: ClickFilter
  /** Clicks before the page; `last` is the last page. */
  readonly offset: number | "last"
  /** The wanted p50 at ten million rows, in milliseconds. */
  readonly bar: number | undefined
  /** Whether it must take at most 1.5 times as long at ten million rows as at one million. */
  readonly isSteady: boolean
}

const day = 24 * 3600 * 1000
const hundredDays = {
  from: new Date(Date.parse(firstDay) + 400 * day),
  to: new Date(Date.parse(firstDay) + 500 * day)
}

const single = (name: string, filter: ClickFilter): ReadonlyArray<ListingCase> => {
  const kind = { offset: 0, bar: 10, isSteady: true } as const
  return [
    { ...kind, name, filter },
    { ...kind, name: `${name}, 100 days`, filter: { ...filter, ...hundredDays } }
  ]
}

const fields = Object.keys(samples) as ReadonlyArray<keyof typeof samples>

const pairs: ReadonlyArray<ClickFilter> = [
  { store_id: "s-0", action: "view" },
  { store_id: "s-499", action: "other" },
  { product_id: "p-0", action: "open_store" },
  { product_id: "p-0", store_id: "s-0" },
  { store_id: "s-0", source: "web" },
  { product_id: "p-19999", store_id: "s-0" },
  { brand_id: "b-0", campaign_id: "c-0" },
  { campaign_id: "c-0", source: "app" },
  { campaign_id: "c-99", source: "kiosk" },
  { store_id: "s-0", ...hundredDays, source: "web" }
]

const pair = (filter: ClickFilter): ListingCase => {
  const { from, to: _, ...equal } = filter
  const name = Object.entries(equal)
    .map(([field, value]) => `${field} = ${value}`)
    .join(", ")
  const range = from === undefined ? "" : ", 100 days"
  return { name: `${name}${range}`, filter, offset: 0, bar: 50, isSteady: false }
}

/** All measured listings. */
export const listingCases: ReadonlyArray<ListingCase> = [
  ...single("no filter", {}),
  ...fields.flatMap((field) =>
    samples[field].flatMap((value) => single(`${field} = ${value}`, { [field]: value }))
  ),
  ...pairs.map(pair),
  { name: "offset 1,000,000", filter: {}, offset: 1_000_000, bar: 20, isSteady: false },
  {
    name: "offset 50,000, action = view",
    filter: { action: "view" },
    offset: 50_000,
    bar: undefined,
    isSteady: false
  },
  { name: "last page", filter: {}, offset: "last", bar: undefined, isSteady: false },
  {
    name: "last page, action = view",
    filter: { action: "view" },
    offset: "last",
    bar: undefined,
    isSteady: false
  }
]
