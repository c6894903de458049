import { Ranking, type RankingProps } from "./rankings/Ranking.tsx"

/** A screen of rankings. */
const screenOf =
  (title: string, ...rankings: ReadonlyArray<RankingProps>) =>
  () => (
    <>
      <h1>{title}</h1>
      {rankings.map((ranking) => (
        <Ranking key={ranking.field} {...ranking} />
      ))}
    </>
  )

export const Products = screenOf("Products", {
  field: "product_id",
  title: "Products",
  noun: ["product", "products"],
  isMain: true
})

export const Campaigns = screenOf(
  "Campaigns",
  { field: "campaign_id", title: "Campaigns", noun: ["campaign", "campaigns"], isMain: true },
  { field: "source", title: "Sources", noun: ["source", "sources"], limit: "20" }
)

export const Stores = screenOf(
  "Stores and brands",
  { field: "store_id", title: "Stores", noun: ["store", "stores"], isMain: true },
  { field: "brand_id", title: "Brands", noun: ["brand", "brands"], limit: "20" }
)

export const Places = screenOf(
  "Devices and places",
  { field: "device_type", title: "Devices", noun: ["device", "devices"], limit: "10" },
  { field: "visitor_state", title: "States", noun: ["state", "states"], limit: "20" },
  { field: "visitor_city", title: "Cities", noun: ["city", "cities"], limit: "20" },
  { field: "page_type", title: "Page types", noun: ["page type", "page types"], limit: "20" }
)
