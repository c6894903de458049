import type { UsState } from "@clicks/core/stores/UsState"
import { Effect } from "effect"
import * as TestWeb from "./TestWeb.ts"

/** A product as in a shop's menu. */
interface MenuProduct {
  readonly product_id: string
  readonly name: string
  readonly brand: string
  readonly category: string
  readonly price: number
  readonly thc: number
  readonly in_stock: boolean
  readonly strain: string
}

interface Shop {
  readonly id: string
  readonly state: UsState
  readonly path: string
  readonly menu: ReadonlyArray<MenuProduct>
}

const brands = ["Green Leaf", "High Desert", "Zoë & Söhne"]
const categories = ["Flower", "Edible", "Vape"]
const pick = (from: ReadonlyArray<string>, index: number): string => from[index % from.length] ?? ""

const product = (shop: string, index: number): MenuProduct => ({
  product_id: `${shop}-p-${index}`,
  name: `Product ${index}`,
  brand: pick(brands, index),
  category: pick(categories, Math.floor(index / 2)),
  price: 5 + ((index * 37) % 100) / 4,
  thc: ((index * 13) % 300) / 10,
  in_stock: index % 4 !== 0,
  strain: "Hybrid"
})

const shop = (state: UsState, index: number): Shop => {
  const id = `${state.toLowerCase()}-${index}`
  return {
    id,
    state,
    path: `/shops/${id}/menu.json`,
    menu: Array.from({ length: 20 + index }, (_, place) => product(id, place))
  }
}

interface TestMarket {
  readonly web: TestWeb.TestWeb
  /** The value for `CLICKS_DISCOVERY_URL`. */
  readonly directoryUrl: string
  readonly shops: ReadonlyArray<Shop>
}

/** A directory of shops and their menus, served on 127.0.0.1 until the scope ends. A test may replace any page. */
export const start = Effect.fnUntraced(function* (states: ReadonlyArray<UsState>, shopsInEach: number) {
  const web = yield* TestWeb.start
  const shops = states.flatMap((state) =>
    Array.from({ length: shopsInEach }, (_, index) => shop(state, index))
  )
  for (const state of states) {
    const listed = shops
      .filter((each) => each.state === state)
      .map(({ id, path }) => ({ id, name: `Shop ${id}`, state, menu_url: web.origin + path }))
    web.page(`/directory/${state}.json`, TestWeb.json(listed))
  }
  for (const { menu, path } of shops) web.page(path, TestWeb.json(menu))
  const market: TestMarket = { web, directoryUrl: `${web.origin}/directory/{state}.json`, shops }
  return market
})
