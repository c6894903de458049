/**
 * Clicks, with a column for each field of `ClickEvent` except `event_type`, which is constant; and the quarantine, with the originals of
 * clicks that could not be stored as sent.
 */
export const clicks = [
  // Domains, because a session parses the checks of a domain once, but those of a table for every insert: of the 220 µs that PostgreSQL
  // takes for a single click, checks of the table took 35, and those of domains take 5.
  // Times are in the years 0001 to 9999, in seconds since 1970. Otherwise, SQL from elsewhere could store an infinite time, which JSON
  // cannot represent: every page, export and bucket with it would fail. The bounds are not literals, because those would depend on the
  // session's time zone in a dump.
  `create domain click_instant as timestamptz(3) check (value >= to_timestamp(-62135596800) and value < to_timestamp(253402300800))`,
  `create domain click_action as text check (value in ('view', 'open_store', 'open_product', 'compare', 'other'))`,
  `create domain click_device as text check (value in ('desktop', 'mobile', 'tablet'))`,
  // "arrival" is the transaction that stored a click. Readers that follow new clicks need it, because commits are not in the order of times
  // and ids, and spooled clicks arrive late. Its index is in `concurrentIndexes`.
  // Counting can use an index-only scan only where a vacuum has run. By default, vacuum runs when a fifth of the table is new: the count of
  // 1.2 million rows then took 235 ms instead of 100. The vacuum takes 50.
  `create table clicks (
      id uuid primary key,
      product_id text not null,
      action click_action not null,
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
      visitor_id text,
      session_id text,
      user_id text,
      ip_address text,
      user_agent text,
      device_type click_device not null,
      occurred_at click_instant not null,
      received_at click_instant not null,
      client_occurred_at click_instant,
      arrival xid8 not null default pg_current_xact_id()
    ) with (autovacuum_vacuum_insert_scale_factor = 0.01)`,
  // Listings scan these backward. The indexes are ascending because new entries at the right end leave full pages behind: 493 bytes of
  // index per click instead of 581, and 3 % less processor time per insert.
  `create index clicks_in_listing_order on clicks (occurred_at, id)`,
  `create index clicks_by_action on clicks (action, occurred_at, id)`,
  // An index entry holds about 2,700 bytes, but a product_id may have 60,000. So an index contains a hash of 8 bytes, and queries compare
  // the hash and the text.
  `create index clicks_by_product_id
    on clicks (hashtextextended(product_id, 0), occurred_at, id)`,
  `create index clicks_by_source
    on clicks (hashtextextended(source, 0), occurred_at, id)`,
  `create index clicks_by_store_id
    on clicks (hashtextextended(store_id, 0), occurred_at, id) where store_id is not null`,
  `create index clicks_by_brand_id
    on clicks (hashtextextended(brand_id, 0), occurred_at, id) where brand_id is not null`,
  `create index clicks_by_campaign_id
    on clicks (hashtextextended(campaign_id, 0), occurred_at, id) where campaign_id is not null`,
  // Not counted: these fields have about a hundred times as many values as the others, each with few clicks, so a total reads the index.
  `create index clicks_by_visitor_id
    on clicks (hashtextextended(visitor_id, 0), occurred_at, id) where visitor_id is not null`,
  `create index clicks_by_session_id
    on clicks (hashtextextended(session_id, 0), occurred_at, id) where session_id is not null`,
  `create table quarantined_clicks (
      click_id uuid not null,
      received_at timestamptz(3) not null,
      reason text not null,
      original bytea not null
    )`,
  // One entry per click and reason. The reason is hashed because it can exceed the size of an index entry.
  `create unique index quarantined_clicks_once
    on quarantined_clicks (click_id, hashtextextended(reason, 0))`,
  `create index quarantined_clicks_newest_first on quarantined_clicks (received_at desc, click_id desc)`
]
