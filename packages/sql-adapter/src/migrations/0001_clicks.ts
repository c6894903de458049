import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The clicks, a column for each field of `ClickEvent`. `event_type` has none: the table holds nothing but product clicks, so
 * the constant would be stored with every row and say nothing.
 */
export const clicks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A count reads the index alone where a vacuum has been; elsewhere it looks up each row. By default the vacuum comes when a
  // fifth of the table is new: the count of 1.2 million rows then took 235 ms instead of 100, and the vacuum 50.
  yield* sql`
    create table clicks (
      id uuid primary key,
      product_id text not null,
      action text not null check (action in ('view', 'open_store', 'open_product', 'compare', 'other')),
      source text not null,
      store_id text,
      brand_id text,
      campaign_id text,
      dispensary_name text,
      page_type text,
      url_path text,
      visitor_city text,
      visitor_state text,
      visitor_lat double precision,
      visitor_lng double precision,
      user_id text,
      ip_address text,
      user_agent text,
      device_type text not null check (device_type in ('desktop', 'mobile', 'tablet')),
      occurred_at timestamptz(3) not null,
      received_at timestamptz(3) not null
    ) with (autovacuum_vacuum_insert_scale_factor = 0.01)`
  yield* sql`create index clicks_in_listing_order on clicks (occurred_at desc, id desc)`
  yield* sql`create index clicks_by_action on clicks (action, occurred_at desc, id desc)`
  // An index entry holds some 2,700 bytes at most, a product_id may have 60,000: the free texts are indexed by a hash of
  // 8 bytes, so that no value can make an insert fail, and a query compares both the hash and the text.
  yield* sql`create index clicks_by_product_id
    on clicks (hashtextextended(product_id, 0), occurred_at desc, id desc)`
  yield* sql`create index clicks_by_source
    on clicks (hashtextextended(source, 0), occurred_at desc, id desc)`
  yield* sql`create index clicks_by_store_id
    on clicks (hashtextextended(store_id, 0), occurred_at desc, id desc) where store_id is not null`
  yield* sql`create index clicks_by_brand_id
    on clicks (hashtextextended(brand_id, 0), occurred_at desc, id desc) where brand_id is not null`
  yield* sql`create index clicks_by_campaign_id
    on clicks (hashtextextended(campaign_id, 0), occurred_at desc, id desc) where campaign_id is not null`
})
