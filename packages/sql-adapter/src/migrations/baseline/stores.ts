/** Stores, and the products of their menus. */
export const stores = [
  `create table stores (
      id text collate "C" primary key check (char_length(id) between 1 and 255),
      name text,
      state text,
      menu_url text,
      fetched_at timestamptz(3),
      product_count integer not null default 0,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    )`,
  `create index stores_by_state on stores (state, id)`,
  // Prices are decimal. Search and sort use folded texts, which are computed by Clicks, so that the database's locale does not matter.
  // "extra" is json because jsonb rejects NUL and reorders fields.
  `create table store_products (
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
    )`,
  // A page of 100 of 50,000 products takes 0.1 to 0.2 ms with an index in its order, and 30 ms without. Each index adds 0.3 s to replacing
  // 50,000 products, so only the usual orders have one: price, THC, name.
  `create index store_products_by_price on store_products (store_id, price, position)`,
  `create index store_products_by_thc on store_products (store_id, thc desc nulls last, position)`,
  // An index entry holds about 2,700 bytes, but a name may have 60,000. So names are indexed by a prefix, and brands by a hash.
  `create index store_products_by_name
    on store_products (store_id, left(name_folded, 100), position)`,
  `create index store_products_by_brand
    on store_products (store_id, hashtextextended(brand, 0)) where brand is not null`
]
