import { Ranking } from "../parts/Ranking.tsx"
import { address, follow } from "../state/address.ts"
import { comparison } from "../state/range.ts"

const orders = [
  { title: "Most clicks", sort: "", order: "" },
  { title: "Rising", sort: "change", order: "" },
  { title: "Falling", sort: "change", order: "asc" }
] as const

const Movers = () => {
  const { order = "", sort = "" } = address.value
  if (comparison.value === "none") return null
  return (
    <ul class="segments" aria-label="Order">
      {orders.map(({ title, ...changes }) => {
        const isChosen = changes.sort === sort && changes.order === order
        return (
          <li key={title}>
            <a {...follow(changes)} aria-current={isChosen ? "true" : undefined}>
              {title}
            </a>
          </li>
        )
      })}
    </ul>
  )
}

export const Products = () => (
  <>
    <h1>Products</h1>
    <Ranking
      field="product_id"
      title="Products by clicks"
      noun={["product", "products"]}
      isMain
      tools={<Movers />}
    />
  </>
)

export const Campaigns = () => (
  <>
    <h1>Campaigns</h1>
    <Ranking
      field="campaign_id"
      title="Campaigns by clicks"
      noun={["campaign", "campaigns"]}
      isMain
      tools={<Movers />}
    />
    <Ranking field="source" title="Sources" noun={["source", "sources"]} limit="20" />
  </>
)

export const Stores = () => (
  <>
    <h1>Stores and brands</h1>
    <Ranking field="store_id" title="Stores by clicks" noun={["store", "stores"]} isMain tools={<Movers />} />
    <Ranking field="brand_id" title="Brands" noun={["brand", "brands"]} limit="20" />
  </>
)

export const Places = () => (
  <>
    <h1>Devices and places</h1>
    <Ranking field="device_type" title="Devices" noun={["device", "devices"]} limit="10" />
    <Ranking field="visitor_state" title="States" noun={["state", "states"]} limit="20" />
    <Ranking field="visitor_city" title="Cities" noun={["city", "cities"]} limit="20" />
    <Ranking field="page_type" title="Page types" noun={["page type", "page types"]} limit="20" />
  </>
)
