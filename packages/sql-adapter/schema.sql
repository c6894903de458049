CREATE TABLE api_keys (
  id uuid not null,
  secret_hash text not null,
  user_id text not null,
  role text not null,
  name text,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_role_check CHECK ((role = ANY (ARRAY['reader'::text, 'admin'::text]))),
  constraint api_keys_secret_hash_key UNIQUE (secret_hash)
);

CREATE TABLE clicks (
  id uuid not null,
  product_id text not null,
  action text not null,
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
  device_type text not null,
  occurred_at timestamp(3) with time zone not null,
  received_at timestamp(3) with time zone not null,
  arrival xid8 not null default pg_current_xact_id(),
  constraint clicks_action_check CHECK ((action = ANY (ARRAY['view'::text, 'open_store'::text, 'open_product'::text, 'compare'::text, 'other'::text]))),
  constraint clicks_device_type_check CHECK ((device_type = ANY (ARRAY['desktop'::text, 'mobile'::text, 'tablet'::text]))),
  constraint clicks_pkey PRIMARY KEY (id)
) WITH (autovacuum_vacuum_insert_scale_factor=0.01);
CREATE INDEX clicks_by_action ON public.clicks USING btree (action, occurred_at DESC, id DESC);
CREATE INDEX clicks_by_arrival ON public.clicks USING btree (arrival);
CREATE INDEX clicks_by_brand_id ON public.clicks USING btree (hashtextextended(brand_id, (0)::bigint), occurred_at DESC, id DESC) WHERE (brand_id IS NOT NULL);
CREATE INDEX clicks_by_campaign_id ON public.clicks USING btree (hashtextextended(campaign_id, (0)::bigint), occurred_at DESC, id DESC) WHERE (campaign_id IS NOT NULL);
CREATE INDEX clicks_by_product_id ON public.clicks USING btree (hashtextextended(product_id, (0)::bigint), occurred_at DESC, id DESC);
CREATE INDEX clicks_by_source ON public.clicks USING btree (hashtextextended(source, (0)::bigint), occurred_at DESC, id DESC);
CREATE INDEX clicks_by_store_id ON public.clicks USING btree (hashtextextended(store_id, (0)::bigint), occurred_at DESC, id DESC) WHERE (store_id IS NOT NULL);
CREATE INDEX clicks_in_listing_order ON public.clicks USING btree (occurred_at DESC, id DESC);

CREATE TABLE clicks_migrations (
  migration_id integer not null,
  created_at timestamp with time zone not null default now(),
  name text not null,
  constraint clicks_migrations_pkey PRIMARY KEY (migration_id)
);

CREATE TABLE crawl_schedules (
  store_id text not null,
  interval_minutes integer not null,
  enabled boolean not null,
  priority integer not null,
  last_run_at timestamp(3) with time zone,
  next_run_at timestamp(3) with time zone,
  updated_at timestamp(3) with time zone not null,
  constraint crawl_schedules_check CHECK ((enabled = (next_run_at IS NOT NULL))),
  constraint crawl_schedules_interval_minutes_check CHECK (((interval_minutes >= 1) AND (interval_minutes <= 1440))),
  constraint crawl_schedules_pkey PRIMARY KEY (store_id),
  constraint crawl_schedules_store_id_check CHECK (((char_length(store_id) >= 1) AND (char_length(store_id) <= 255)))
);
CREATE INDEX crawl_schedules_due ON public.crawl_schedules USING btree (next_run_at) WHERE (next_run_at IS NOT NULL);

CREATE TABLE quarantined_clicks (
  click_id uuid not null,
  received_at timestamp(3) with time zone not null,
  reason text not null,
  original bytea not null
);
CREATE INDEX quarantined_clicks_newest_first ON public.quarantined_clicks USING btree (received_at DESC, click_id DESC);
CREATE UNIQUE INDEX quarantined_clicks_once ON public.quarantined_clicks USING btree (click_id, hashtextextended(reason, (0)::bigint));

CREATE TABLE store_products (
  store_id text not null,
  "position" integer not null,
  product_id text not null,
  name text,
  brand text,
  category text,
  price numeric,
  thc numeric,
  in_stock boolean,
  url text,
  name_folded text,
  brand_folded text,
  category_folded text,
  extra json not null,
  constraint store_products_pkey PRIMARY KEY (store_id, "position"),
  constraint store_products_store_id_fkey FOREIGN KEY (store_id) REFERENCES stores(id) ON DELETE CASCADE
);
CREATE INDEX store_products_by_brand ON public.store_products USING btree (store_id, hashtextextended(brand, (0)::bigint)) WHERE (brand IS NOT NULL);
CREATE INDEX store_products_by_name ON public.store_products USING btree (store_id, "left"(name_folded, 100), "position");
CREATE INDEX store_products_by_price ON public.store_products USING btree (store_id, price, "position");
CREATE INDEX store_products_by_thc ON public.store_products USING btree (store_id, thc DESC NULLS LAST, "position");

CREATE TABLE stores (
  id text not null,
  name text,
  state text,
  menu_url text,
  fetched_at timestamp(3) with time zone,
  product_count integer not null default 0,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint stores_id_check CHECK (((char_length(id) >= 1) AND (char_length(id) <= 255))),
  constraint stores_pkey PRIMARY KEY (id)
);
CREATE INDEX stores_by_state ON public.stores USING btree (state, id);

CREATE TABLE trusted_origins (
  id uuid not null,
  kind text not null,
  value text not null,
  name text,
  enabled boolean not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint trusted_origins_kind_check CHECK ((kind = ANY (ARRAY['address'::text, 'domain'::text, 'pattern'::text]))),
  constraint trusted_origins_pkey PRIMARY KEY (id),
  constraint trusted_origins_value_key UNIQUE (value)
);
