import { sampleId } from "@clicks/sql-adapter/clicks/SampleClicks"
import type { MappedRow } from "../importing/RowMapping.ts"
import { stores } from "./catalogue.ts"
import { drawing, type Random, seeded } from "./random.ts"
import { type SampleStep, type SampleVisit, visits } from "./visits.ts"

/** The source of all sample clicks. It tells users that a click is a sample; code recognises samples by their ids. */
export const sampleSource = "demo"

const drawStore = drawing(stores, ({ weight }) => weight)

const paths: Readonly<Record<string, string>> = { home: "/", compare: "/compare", campaign: "/offers" }

const pathOf = ({ page, product }: SampleStep): string =>
  paths[page] ?? (page === "product" ? `/products/${product.id}` : `/${product.category}`)

const rowOf = (visit: SampleVisit, step: SampleStep, random: Random) => {
  const { campaign, session, start, visitor } = visit
  const occurred = start + step.after
  // Most clicks are for the store in the visitor's city.
  const store = random() < 0.85 ? visitor.store : drawStore(random)
  const row = {
    product_id: step.product.id,
    action: step.action,
    source: sampleSource,
    store_id: store.id,
    brand_id: step.product.brand,
    campaign_id: campaign.id,
    dispensary_name: store.name,
    page_type: step.page,
    url_path: pathOf(step),
    visitor_city: visitor.store.city,
    visitor_state: "AZ",
    visitor_lat: visitor.lat,
    visitor_lng: visitor.lng,
    visitor_id: visitor.id,
    session_id: session,
    ip_address: visitor.address,
    user_agent: visitor.userAgent,
    occurred_at: new Date(occurred).toISOString(),
    received_at: new Date(occurred + 40 + Math.floor(random() * 300)).toISOString()
  }
  return { row, occurred }
}

/** `count` sample clicks of the 30 days before `end`, oldest first. The same arguments give the same clicks. */
export const sampleRows = (count: number, seed: number, end: Date): ReadonlyArray<MappedRow> => {
  const random = seeded(seed)
  const rows: Array<ReturnType<typeof rowOf>> = []
  for (const visit of visits(end.getTime(), random)) {
    for (const step of visit.steps) rows.push(rowOf(visit, step, random))
    if (rows.length >= count) break
  }
  return rows
    .slice(0, count)
    .toSorted((a, b) => a.occurred - b.occurred)
    .map(({ row }, number) => ({ ...row, id: sampleId(number) }))
}
