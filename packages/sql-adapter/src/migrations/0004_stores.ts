import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The stores, and the products of each as its menu listed them. */
export const stores = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table stores (
      id text collate "C" primary key check (char_length(id) between 1 and 255),
      name text,
      state text,
      menu_url text,
      fetched_at timestamptz(3),
      product_count integer not null default 0,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    )`
  yield* sql`create index stores_by_state on stores (state, id)`
  // Prices are money, so they are decimal. The folded texts are what is searched and sorted; they come from the program, so
  // that the database's locale has no say. "extra" is json and not jsonb, which refuses NUL and reorders fields.
  yield* sql`
    create table store_products (
      store_id text collate "C" not null references stores on delete cascade,
      position integer not null,
      product_id text not null,
      name text,
      brand text,
      category text,
      price numeric,
      thc numeric,
      in_stock boolean,
      url text,
      name_folded text collate "C",
      brand_folded text collate "C",
      category_folded text collate "C",
      extra json not null,
      primary key (store_id, position)
    )`
  // Pages of 100 of 50,000 products: 0.1 to 0.2 ms with the index that serves the order, 30 ms by sorting. So the orders that shops
  // use have one: cheapest first, strongest first, by name. Each costs some 0.3 s when 50,000 products are replaced.
  yield* sql`create index store_products_by_price on store_products (store_id, price, position)`
  yield* sql`create index store_products_by_thc on store_products (store_id, thc desc nulls last, position)`
  // An index entry holds some 2,700 bytes at most, a name may have 60,000: names are indexed by their beginning, brands by a hash.
  yield* sql`create index store_products_by_name
    on store_products (store_id, left(name_folded, 100), position)`
  yield* sql`create index store_products_by_brand
    on store_products (store_id, hashtextextended(brand, 0)) where brand is not null`
})
