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

CREATE TABLE click_archive (
  single boolean not null default true,
  id uuid not null default gen_random_uuid(),
  system text not null,
  mark pg_snapshot not null default '3:3:'::pg_snapshot,
  moved integer not null default 0,
  last_attempt integer not null default 0,
  clicks bigint not null default 0,
  deletions bigint not null default 0,
  caught_up_at timestamp(3) with time zone,
  current_at timestamp(3) with time zone not null default now(),
  expired timestamp(3) with time zone,
  expired_first uuid,
  expired_last uuid,
  removed_until timestamp(3) with time zone,
  constraint click_archive_pkey PRIMARY KEY (single),
  constraint click_archive_single_check CHECK (single)
) WITH (fillfactor=50);

CREATE TABLE click_archive_attempts (
  attempt integer not null,
  state text not null,
  until pg_snapshot not null,
  is_whole boolean not null,
  deletions bigint not null,
  begun_at timestamp with time zone not null default clock_timestamp(),
  active_at timestamp with time zone not null,
  clicks bigint,
  checksum text,
  moved_at timestamp with time zone,
  constraint click_archive_attempts_check CHECK (((state = 'moved'::text) = (moved_at IS NOT NULL))),
  constraint click_archive_attempts_pkey PRIMARY KEY (attempt),
  constraint click_archive_attempts_state_check CHECK ((state = ANY (ARRAY['open'::text, 'moved'::text, 'abandoned'::text])))
);
CREATE INDEX click_archive_attempts_abandoned ON public.click_archive_attempts USING btree (attempt) WHERE (state = 'abandoned'::text);
CREATE UNIQUE INDEX click_archive_attempts_open ON public.click_archive_attempts USING btree (state) WHERE (state = 'open'::text);

CREATE TABLE click_chunks (
  id bigint not null generated as identity,
  bin timestamp(3) with time zone not null,
  n integer not null,
  low timestamp(3) with time zone not null,
  high timestamp(3) with time zone not null,
  at bytea not null,
  action bytea not null,
  visitor bytea not null,
  session bytea not null,
  product_id bytea not null,
  store_id bytea not null,
  brand_id bytea not null,
  campaign_id bytea not null,
  source bytea not null,
  page_type bytea not null,
  device_type bytea not null,
  visitor_state bytea not null,
  visitor_city bytea not null,
  constraint click_chunks_pkey PRIMARY KEY (id)
);
CREATE INDEX click_chunks_by_bin ON public.click_chunks USING btree (bin);

CREATE TABLE click_counts (
  key_id integer not null,
  level smallint not null,
  start timestamp(3) with time zone not null,
  n bigint not null,
  view bigint not null,
  open_store bigint not null,
  open_product bigint not null,
  compare bigint not null,
  other bigint not null,
  split boolean not null default false,
  constraint click_counts_pkey PRIMARY KEY (key_id, level, start)
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.05);

CREATE TABLE click_keys (
  id integer not null generated as identity,
  field text,
  value text,
  first integer,
  second integer,
  n bigint not null,
  view bigint not null,
  open_store bigint not null,
  open_product bigint not null,
  compare bigint not null,
  other bigint not null,
  split boolean not null,
  paired boolean not null default false,
  constraint click_keys_check CHECK ((((num_nulls(field, value) = 0) AND (num_nulls(first, second) = 2)) OR ((num_nulls(field, value) = 2) AND (first < second)))),
  constraint click_keys_pkey PRIMARY KEY (id)
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.05);
CREATE UNIQUE INDEX click_keys_by_pair ON public.click_keys USING btree (first, second) WHERE (first IS NOT NULL);
CREATE INDEX click_keys_by_value ON public.click_keys USING btree (hashtextextended(value, (0)::bigint), field) WHERE (value IS NOT NULL);
CREATE INDEX click_keys_paired ON public.click_keys USING btree (id) WHERE paired;

CREATE TABLE click_ledger (
  id uuid not null,
  constraint click_ledger_pkey PRIMARY KEY (id)
);

CREATE TABLE click_rollup (
  single boolean not null default true,
  system text not null,
  arrival xid8 not null,
  since timestamp(3) with time zone not null,
  beyond xid8 not null,
  constraint click_rollup_pkey PRIMARY KEY (single),
  constraint click_rollup_single_check CHECK (single)
);

CREATE TABLE click_texts (
  id integer not null generated as identity,
  value text not null,
  constraint click_texts_pkey PRIMARY KEY (id)
);
CREATE INDEX click_texts_by_value ON public.click_texts USING btree (hashtextextended(value, (0)::bigint));

CREATE TABLE click_visitors (
  id integer not null generated as identity,
  number bigint not null,
  constraint click_visitors_pkey PRIMARY KEY (number)
);

CREATE TABLE clicks (
  id uuid not null,
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
  arrival xid8 not null default pg_current_xact_id(),
  constraint clicks_pkey PRIMARY KEY (id)
) WITH (autovacuum_vacuum_insert_scale_factor=0.01);
CREATE INDEX clicks_by_action ON public.clicks USING btree (action, occurred_at, id);
CREATE INDEX clicks_by_arrival ON public.clicks USING btree (arrival);
CREATE INDEX clicks_by_brand_id ON public.clicks USING btree (hashtextextended(brand_id, (0)::bigint), occurred_at, id) WHERE (brand_id IS NOT NULL);
CREATE INDEX clicks_by_campaign_id ON public.clicks USING btree (hashtextextended(campaign_id, (0)::bigint), occurred_at, id) WHERE (campaign_id IS NOT NULL);
CREATE INDEX clicks_by_product_id ON public.clicks USING btree (hashtextextended(product_id, (0)::bigint), occurred_at, id);
CREATE INDEX clicks_by_session_id ON public.clicks USING btree (hashtextextended(session_id, (0)::bigint), occurred_at, id) WHERE (session_id IS NOT NULL);
CREATE INDEX clicks_by_source ON public.clicks USING btree (hashtextextended(source, (0)::bigint), occurred_at, id);
CREATE INDEX clicks_by_store_id ON public.clicks USING btree (hashtextextended(store_id, (0)::bigint), occurred_at, id) WHERE (store_id IS NOT NULL);
CREATE INDEX clicks_by_visitor_id ON public.clicks USING btree (hashtextextended(visitor_id, (0)::bigint), occurred_at, id) WHERE (visitor_id IS NOT NULL);
CREATE INDEX clicks_in_listing_order ON public.clicks USING btree (occurred_at, id);
CREATE TRIGGER clicks_deleted AFTER DELETE ON public.clicks REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_clicks();
CREATE TRIGGER clicks_truncated AFTER TRUNCATE ON public.clicks FOR EACH STATEMENT EXECUTE FUNCTION forget_clicks();

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

CREATE TABLE secrets (
  name text not null,
  value bytea not null,
  constraint secrets_pkey PRIMARY KEY (name)
);

CREATE TABLE sessions (
  token_hash text not null,
  kind text not null,
  key text not null,
  expires_at timestamp(3) with time zone not null,
  constraint sessions_kind_check CHECK ((kind = ANY (ARRAY['session'::text, 'link'::text]))),
  constraint sessions_pkey PRIMARY KEY (token_hash)
);

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

CREATE TABLE tasks (
  id uuid not null,
  kind text not null,
  payload jsonb not null,
  state text not null default 'waiting'::text,
  priority integer not null,
  run_at timestamp with time zone not null,
  attempts integer not null default 0,
  max_attempts integer not null,
  batch_id uuid,
  error text,
  created_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  renewed_at timestamp with time zone,
  finished_at timestamp with time zone,
  constraint tasks_check CHECK (((state = ANY (ARRAY['succeeded'::text, 'failed'::text, 'cancelled'::text])) = (finished_at IS NOT NULL))),
  constraint tasks_pkey PRIMARY KEY (id),
  constraint tasks_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX tasks_by_batch ON public.tasks USING btree (batch_id) WHERE (batch_id IS NOT NULL);
CREATE INDEX tasks_by_state ON public.tasks USING btree (state, created_at DESC, id DESC) WHERE (state <> 'succeeded'::text);
CREATE INDEX tasks_crawling ON public.tasks USING btree (((payload ->> 'store_id'::text))) WHERE ((kind = 'store-crawl'::text) AND (state = ANY (ARRAY['waiting'::text, 'running'::text])));
CREATE INDEX tasks_in_listing_order ON public.tasks USING btree (created_at DESC, id DESC);
CREATE INDEX tasks_waiting ON public.tasks USING btree (priority DESC, created_at, id) WHERE (state = 'waiting'::text);

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

CREATE DOMAIN click_action AS text CHECK ((VALUE = ANY (ARRAY['view'::text, 'open_store'::text, 'open_product'::text, 'compare'::text, 'other'::text])));

CREATE DOMAIN click_device AS text CHECK ((VALUE = ANY (ARRAY['desktop'::text, 'mobile'::text, 'tablet'::text])));

CREATE DOMAIN click_instant AS timestamp(3) with time zone CHECK (((VALUE >= to_timestamp(('-62135596800'::bigint)::double precision)) AND (VALUE < to_timestamp(('253402300800'::bigint)::double precision))));

CREATE OR REPLACE FUNCTION public.add_click_chunks()
 RETURNS void
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
 SET join_collapse_limit TO '1'
AS $function$
    declare
      piece record;
      known record;
      total integer;
      merged bigint[];
    begin
      perform identify_click_texts();
      if to_regclass('pg_temp.tally_chunks') is null then
        create temp table tally_chunks (like click_chunks including storage) on commit delete rows;
      end if;
      delete from pg_temp.tally_chunks;
      insert into pg_temp.tally_chunks (id, bin, n, low, high, at, action, visitor, session, product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city)
      select 0, bin, count(*), min(moment), max(moment), string_agg(int4send(at), ''::bytea) as at, string_agg(set_byte('\x00'::bytea, 0, action), ''::bytea) as action, string_agg(int4send(visitor), ''::bytea) as visitor, coalesce(string_agg(case when action >= 16 then int8send(session) end, ''::bytea), ''::bytea) as session, string_agg(int4send(product_id), ''::bytea) as product_id, string_agg(int4send(store_id), ''::bytea) as store_id, string_agg(int4send(brand_id), ''::bytea) as brand_id, string_agg(int4send(campaign_id), ''::bytea) as campaign_id, string_agg(int4send(source), ''::bytea) as source, string_agg(int4send(page_type), ''::bytea) as page_type, string_agg(int4send(device_type), ''::bytea) as device_type, string_agg(int4send(visitor_state), ''::bytea) as visitor_state, string_agg(int4send(visitor_city), ''::bytea) as visitor_city from (
  select click_bin(1, c.at) as bin, c.at as moment, ((date_part('epoch', c.at) * 1000)::bigint - ((date_part('epoch', click_bin(1, c.at)) * 1000)::bigint + 2147483648))::integer as at,
    c.action + case when c.visitor is null then 8 else 0 end + case when c.session is null then 0 else 16 end as action, coalesce(v.id, 0) as visitor, coalesce(c.session, 0) as session,
    coalesce(of_product_id.id, 0) as product_id, coalesce(of_store_id.id, 0) as store_id, coalesce(of_brand_id.id, 0) as brand_id, coalesce(of_campaign_id.id, 0) as campaign_id, coalesce(of_source.id, 0) as source, coalesce(of_page_type.id, 0) as page_type, coalesce(of_device_type.id, 0) as device_type, coalesce(of_visitor_state.id, 0) as visitor_state, coalesce(of_visitor_city.id, 0) as visitor_city
  from pg_temp.tally_clicks as c left join pg_temp.tally_visitors as v on v.number = c.visitor
  left join pg_temp.tally_texts as of_product_id on of_product_id.value = c.product_id left join pg_temp.tally_texts as of_store_id on of_store_id.value = c.store_id left join pg_temp.tally_texts as of_brand_id on of_brand_id.value = c.brand_id left join pg_temp.tally_texts as of_campaign_id on of_campaign_id.value = c.campaign_id left join pg_temp.tally_texts as of_source on of_source.value = c.source left join pg_temp.tally_texts as of_page_type on of_page_type.value = c.page_type left join pg_temp.tally_texts as of_device_type on of_device_type.value = c.device_type left join pg_temp.tally_texts as of_visitor_state on of_visitor_state.value = c.visitor_state left join pg_temp.tally_texts as of_visitor_city on of_visitor_city.value = c.visitor_city
  where case when random() < 0.02 then click_yield() else true end) as clicks group by bin;
      for piece in select bin, n from pg_temp.tally_chunks order by bin loop
        perform click_yield();
        total := piece.n;
        merged := '{}';
        for known in select id, n from click_chunks where bin = piece.bin order by n, id loop
          exit when known.n > total or total + known.n > 65536;
          total := total + known.n;
          merged := merged || known.id;
        end loop;
        insert into click_chunks (bin, n, low, high, at, action, visitor, session, product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city)
        select piece.bin, sum(n), min(low), max(high), string_agg(at, ''::bytea order by id) as at, string_agg(action, ''::bytea order by id) as action, string_agg(visitor, ''::bytea order by id) as visitor, string_agg(session, ''::bytea order by id) as session, string_agg(product_id, ''::bytea order by id) as product_id, string_agg(store_id, ''::bytea order by id) as store_id, string_agg(brand_id, ''::bytea order by id) as brand_id, string_agg(campaign_id, ''::bytea order by id) as campaign_id, string_agg(source, ''::bytea order by id) as source, string_agg(page_type, ''::bytea order by id) as page_type, string_agg(device_type, ''::bytea order by id) as device_type, string_agg(visitor_state, ''::bytea order by id) as visitor_state, string_agg(visitor_city, ''::bytea order by id) as visitor_city
        from (
          select * from pg_temp.tally_chunks where bin = piece.bin
          union all select * from click_chunks where id = any (merged)) as parts;
        delete from click_chunks where id = any (merged);
      end loop;
    end $function$
;

CREATE OR REPLACE FUNCTION public.adopt_clicks(step integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
    declare
      rows integer;
    begin
      with foreign_rows as (
        select id from clicks where arrival >= pg_snapshot_xmax(pg_current_snapshot()) order by arrival limit step)
      update clicks set arrival = '3' from foreign_rows where clicks.id = foreign_rows.id;
      get diagnostics rows = row_count;
      if rows = 0 then
        delete from click_keys;
        delete from click_counts;
        delete from click_chunks;
        delete from click_texts;
        delete from click_visitors;
        update click_rollup set system = (select system_identifier::text from pg_control_system()), arrival = '3', since = 'infinity';
      end if;
      return greatest(rows, 1);
    end $function$
;

CREATE OR REPLACE FUNCTION public.click_bin(level integer, at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
AS $function$
      select date_bin((array[interval '1024 hours', '32 hours', '1 hour', '2 minutes', '4 seconds', '125 milliseconds', '1 millisecond'])[level], at, timestamptz '4714-11-24 00:00:00+00 BC')
    $function$
;

CREATE OR REPLACE FUNCTION public.click_condition(fields text[], vals text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
      select coalesce(string_agg(
        case when field = 'action' then format('action = %L', value)
        else format('hashtextextended(%1$I, 0) = hashtextextended(%2$L, 0) and case when %1$I = %2$L then true else false end', field, value)
        end, ' and '), 'true')
      from unnest(fields, vals) as sought (field, value)
      where field <> '' and value is not null
    $function$
;

CREATE OR REPLACE FUNCTION public.click_is_rolled(state click_rollup)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
      select case
        when state.since = 'infinity' then format('arrival < %L::xid8', state.arrival)
        when state.arrival = '3' then format('arrival < %L::xid8 and occurred_at >= %L::timestamptz', state.beyond, state.since)
        else format('arrival < %L::xid8 and (arrival < %L::xid8 or occurred_at >= %L::timestamptz)', state.beyond, state.arrival, state.since)
      end
    $function$
;

CREATE OR REPLACE FUNCTION public.click_key_condition(key_id integer)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
      select coalesce(string_agg(part.condition, ' and '), 'true') from (
        select case row_number() over (order by part.n)
          when 1 then click_condition(array[part.field], array[part.value]) else format('%I = %L', part.field, part.value) end as condition
        from click_keys as k join click_keys as part on part.id in (k.id, k.first, k.second)
        where k.id = key_id and part.field <> '') as part
    $function$
;

CREATE OR REPLACE FUNCTION public.click_limit(level integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
      select (array[2000, 4000, 4000, 4000, 4000, 50000, 20000, 2147483647])[level + 1]
    $function$
;

CREATE OR REPLACE FUNCTION public.click_pairing_limit(clicks bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
      select greatest(10000, clicks / 500)
    $function$
;

CREATE OR REPLACE FUNCTION public.click_part_limit(level integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
      select case level when 0 then 250 else click_limit(level) / 64 end
    $function$
;

CREATE OR REPLACE FUNCTION public.click_rank(key click_found, until timestamp with time zone, condition text)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
    declare
      rank bigint := 0;
      part bigint;
      bin timestamptz;
      low timestamptz := '-infinity';
      high timestamptz := 'infinity';
      whole bigint := key.n;
      is_split boolean := key.split;
    begin
      if until = 'infinity' then return key.n; end if;
      if until = '-infinity' then return 0; end if;
      for depth in 1..7 loop
        exit when not is_split;
        bin := click_bin(depth, until);
        execute format('select $1 + coalesce(sum(%I), 0) from click_counts where key_id = $2 and level = $3 and start >= $4 and start < $5',
          key.counted) into rank using rank, key.id, depth, low, bin;
        if bin = until then return rank; end if;
        execute format('select %I, split from click_counts where key_id = $1 and level = $2 and start = $3', key.counted)
          into whole, is_split using key.id, depth, bin;
        if whole is null then return rank; end if;
        low := bin;
        high := bin + click_width(depth);
      end loop;
      if until - low < high - until or high = 'infinity' then
        execute format('select count(*) from clicks where occurred_at >= %L and occurred_at < %L and %s', low, until, condition) into part;
        return rank + part;
      end if;
      execute format('select count(*) from clicks where occurred_at >= %L and occurred_at < %L and %s', until, high, condition) into part;
      return rank + whole - part;
    end $function$
;

CREATE OR REPLACE FUNCTION public.click_unit(clicks bigint)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
    declare
      unit integer;
    begin
      with sample as materialized (
        select at from pg_temp.tally_clicks tablesample bernoulli (least(100, 100000.0 / clicks)) repeatable (0))
      select coalesce(max(depth), 1) into unit from generate_series(1, 5) as depth
      where (
        select sum(n * n) / sum(n) / sum(n) from (select count(*) as n from sample group by click_bin(depth, at)) as bins)
        >= least(0.5, 1500.0 / clicks);
      return unit;
    end $function$
;

CREATE OR REPLACE FUNCTION public.click_width(level integer)
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
AS $function$
      select (array[interval '1024 hours', '32 hours', '1 hour', '2 minutes', '4 seconds', '125 milliseconds', '1 millisecond'])[level]
    $function$
;

CREATE OR REPLACE FUNCTION public.click_yield()
 RETURNS boolean
 LANGUAGE plpgsql
 COST 1
AS $function$
    declare
      rest double precision := nullif(current_setting('clicks.rest', true), '');
      worked double precision;
    begin
      if rest > 0 then
        worked := extract(epoch from clock_timestamp()) - current_setting('clicks.resumed')::double precision;
        if worked > 0.003 then
          perform pg_sleep(least(worked, 1) * rest);
          perform set_config('clicks.resumed', extract(epoch from clock_timestamp())::text, true);
        end if;
      end if;
      return true;
    end $function$
;

CREATE OR REPLACE FUNCTION public.count_click_rows(condition text, low timestamp with time zone, high timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
    declare
      total bigint;
    begin
      if low > '-infinity' then condition := condition || format(' and occurred_at >= %L', low); end if;
      if high < 'infinity' then condition := condition || format(' and occurred_at < %L', high); end if;
      execute 'select count(*) from clicks where ' || condition into total;
      return total;
    end $function$
;

CREATE OR REPLACE FUNCTION public.count_click_tail(state click_rollup, condition text, low timestamp with time zone, high timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
    declare
      is_sliced boolean := state.since < 'infinity';
      newest bigint := count_click_rows(format('arrival >= %L::xid8 and %s', case when is_sliced then state.beyond else state.arrival end,
        condition), low, high);
    begin
      if not is_sliced or low >= state.since then return newest; end if;
      return newest + count_click_rows(format('arrival >= %L::xid8 and arrival < %L::xid8 and %s', state.arrival, state.beyond, condition),
        low, least(high, state.since));
    end $function$
;

CREATE OR REPLACE FUNCTION public.count_clicks(fields text[], vals text[], low timestamp with time zone, high timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_custom_plan'
 SET jit TO 'off'
AS $function$
    declare
      state click_rollup;
      key click_found;
      condition text := click_condition(fields, vals);
      is_rolled text;
    begin
      if low >= high then return 0; end if;
      select * into state from click_rollup;
      if state.system = (select system_identifier::text from pg_control_system()) then
        key := find_click_key(fields, vals);
      end if;
      if key.id is null or not key.split and (low > '-infinity' or high < 'infinity') then
        return count_click_rows(condition, low, high);
      end if;
      is_rolled := condition || ' and ' || click_is_rolled(state);
      return count_click_tail(state, condition, low, high) + click_rank(key, high, is_rolled) - click_rank(key, low, is_rolled);
    end $function$
;

CREATE OR REPLACE FUNCTION public.enter_click_ledger()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into click_ledger (id) values (new.id) on conflict do nothing;
      if found then return new; end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.find_click_key(fields text[], vals text[])
 RETURNS click_found
 LANGUAGE plpgsql
 STABLE
AS $function$
    declare
      none click_found := (0, 0, true, 'n');
      answer click_found := (null, 0, false, 'n');
      value click_keys;
      values_found click_keys[] := '{}';
      key click_keys;
      is_counted boolean := true;
    begin
      for i in 1..cardinality(fields) loop
        if fields[i] = 'action' then
          if vals[i] not in ('view', 'open_store', 'open_product', 'compare', 'other') then return none; end if;
          answer.counted := vals[i];
        elsif fields[i] not in ('product_id', 'store_id', 'brand_id', 'campaign_id', 'source') then
          is_counted := false;
        else
          select * into value from click_keys as k
          where hashtextextended(k.value, 0) = hashtextextended(vals[i], 0) and k.field = fields[i] and k.value = vals[i];
          if not found then return none; end if;
          values_found := values_found || value;
        end if;
      end loop;
      if not is_counted then return answer; end if;
      case cardinality(values_found)
        when 0 then select * into key from click_keys as k where hashtextextended(k.value, 0) = hashtextextended('', 0) and k.field = '';
        when 1 then key := values_found[1];
        when 2 then
          if not (values_found[1].paired and values_found[2].paired) then return answer; end if;
          select * into key from click_keys as k
          where k.first = least(values_found[1].id, values_found[2].id) and k.second = greatest(values_found[1].id, values_found[2].id);
        else return answer;
      end case;
      if key.id is null then return none; end if;
      answer.id := key.id;
      answer.split := key.split;
      answer.n := (to_jsonb(key) ->> answer.counted)::bigint;
      return answer;
    end $function$
;

CREATE OR REPLACE FUNCTION public.forget_clicks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_custom_plan'
 SET jit TO 'off'
 SET enable_bitmapscan TO 'off'
 SET work_mem TO '64MB'
AS $function$
    declare
      state click_rollup;
      rows integer;
    begin
      perform pg_advisory_xact_lock(254258);
      select * into state from click_rollup for update;
      if tg_op = 'TRUNCATE' then
        delete from click_keys;
        delete from click_counts;
        delete from click_chunks;
        delete from click_texts;
        delete from click_visitors;
        return null;
      end if;
      perform prepare_click_rolling();
      execute format('insert into pg_temp.tally_clicks
        select occurred_at, case action when ''view'' then 1 when ''open_store'' then 2 when ''open_product'' then 3 when ''compare'' then 4 when ''other'' then 5 end, product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city, case when visitor_id is not null then hashtextextended(visitor_id, 2)
      when user_id is not null then hashtextextended(user_id, 1)
      when num_nonnulls(ip_address, user_agent) > 0 then hashtextextended(
        coalesce(ip_address, E''\x02'') || E''\x01'' || coalesce(user_agent, E''\x02''), 0) end, hashtextextended(session_id, 3) from gone where %s',
        click_is_rolled(state));
      get diagnostics rows = row_count;
      if rows > 0 then perform tally_clicks(-1, click_is_rolled(state)), remove_click_chunks(); end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.gather_click_rows(depth integer)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
    declare
      all_clicks integer := (select id from pg_temp.tally_keys where field = '');
    begin
      insert into pg_temp.tally_rows
      select depth + 1, part.id, at, action
      from (
        select unnest(array[all_clicks, product_id, store_id, brand_id, campaign_id, source]) as id, unit, at, action from pg_temp.tally_ids
        where unit in (select start from pg_temp.tally_divided where level = depth) and case when random() < 0.02 then click_yield() else true end offset 0) as part
      join pg_temp.tally_divided as bin on bin.level = depth and bin.key_id = part.id and bin.start = part.unit;
      if not exists (
        select from pg_temp.tally_divided join pg_temp.tally_keys on id = key_id where level = depth and first is not null) then
        return;
      end if;
      insert into pg_temp.tally_rows
      select depth + 1, pair.id, at, action
      from (
        select least(one, another) as first, greatest(one, another) as second, unit, at, action from pg_temp.tally_ids
        cross join lateral (values (paired_product_id, paired_store_id), (paired_product_id, paired_brand_id), (paired_product_id, paired_campaign_id), (paired_product_id, paired_source), (paired_store_id, paired_brand_id), (paired_store_id, paired_campaign_id), (paired_store_id, paired_source), (paired_brand_id, paired_campaign_id), (paired_brand_id, paired_source), (paired_campaign_id, paired_source)) as part (one, another)
        where one is not null and another is not null and case when random() < 0.02 then click_yield() else true end offset 0) as part
      join (
        select k.id, k.first, k.second, bin.start from pg_temp.tally_divided as bin
        join pg_temp.tally_keys as k on k.id = bin.key_id and k.first is not null where level = depth offset 0) as pair
      on pair.first = part.first and pair.second = part.second and pair.start = part.unit;
    end $function$
;

CREATE OR REPLACE FUNCTION public.group_clicks()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
    begin
      insert into pg_temp.tally_groups
      with alike as materialized (
        select unit, action, product_id, store_id, brand_id, campaign_id, source, paired_product_id, paired_store_id, paired_brand_id, paired_campaign_id, paired_source, count(*)::integer as clicks from pg_temp.tally_ids where case when random() < 0.02 then click_yield() else true end
        group by unit, action, product_id, store_id, brand_id, campaign_id, source, paired_product_id, paired_store_id, paired_brand_id, paired_campaign_id, paired_source)
      select coalesce(product_id, store_id, brand_id, campaign_id, source, least(paired_product_id, paired_store_id, paired_brand_id, paired_campaign_id, paired_source), (select id from pg_temp.tally_keys where field = '')),
        case when grouping(product_id, store_id, brand_id, campaign_id, source) = 31 then greatest(paired_product_id, paired_store_id, paired_brand_id, paired_campaign_id, paired_source) end, unit, sum(clicks) as n, coalesce(sum(clicks) filter (where action = 1), 0) as view, coalesce(sum(clicks) filter (where action = 2), 0) as open_store, coalesce(sum(clicks) filter (where action = 3), 0) as open_product, coalesce(sum(clicks) filter (where action = 4), 0) as compare, coalesce(sum(clicks) filter (where action = 5), 0) as other
      from alike where case when random() < 0.02 then click_yield() else true end
      group by grouping sets ((unit), (unit, product_id), (unit, store_id), (unit, brand_id), (unit, campaign_id), (unit, source),
        (unit, paired_product_id, paired_store_id), (unit, paired_product_id, paired_brand_id), (unit, paired_product_id, paired_campaign_id), (unit, paired_product_id, paired_source), (unit, paired_store_id, paired_brand_id), (unit, paired_store_id, paired_campaign_id), (unit, paired_store_id, paired_source), (unit, paired_brand_id, paired_campaign_id), (unit, paired_brand_id, paired_source), (unit, paired_campaign_id, paired_source))
      having (grouping(product_id, store_id, brand_id, campaign_id, source, paired_product_id, paired_store_id, paired_brand_id, paired_campaign_id, paired_source) = 1023 or num_nonnulls(product_id, store_id, brand_id, campaign_id, source) = 1
        or num_nonnulls(paired_product_id, paired_store_id, paired_brand_id, paired_campaign_id, paired_source) = 2) and case when random() < 0.02 then click_yield() else true end;
    end $function$
;

CREATE OR REPLACE FUNCTION public.identify_click_texts()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
    begin
      if to_regclass('pg_temp.tally_texts') is null then
        create temp table tally_texts (id integer, value text) on commit delete rows;
        create temp table tally_visitors (id integer, number bigint) on commit delete rows;
      end if;
      delete from pg_temp.tally_texts;
      delete from pg_temp.tally_visitors;
      with step as materialized (
        select step.value, known.id
        from (select distinct value from pg_temp.tally_values where field <> '') as step
        left join lateral (
          select id from click_texts as known
          where hashtextextended(known.value, 0) = hashtextextended(step.value, 0) and known.value = step.value offset 0) as known on true
        where case when random() < 0.02 then click_yield() else true end),
      added as (insert into click_texts (value) select value from step where id is null returning id, value)
      insert into pg_temp.tally_texts
      select id, value from step where id is not null union all select id, value from added;
      perform click_yield();
      with step as materialized (
        select step.number, known.id
        from (select distinct visitor as number from pg_temp.tally_clicks where visitor is not null and case when random() < 0.02 then click_yield() else true end) as step
        left join lateral (select id from click_visitors as known where known.number = step.number offset 0) as known on true
        where case when random() < 0.02 then click_yield() else true end),
      added as (insert into click_visitors (number) select number from step where id is null returning id, number)
      insert into pg_temp.tally_visitors
      select id, number from step where id is not null union all select id, number from added;
    end $function$
;

CREATE OR REPLACE FUNCTION public.identify_clicks(depth integer)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
    begin
      insert into pg_temp.tally_ids
      select at, click_bin(depth, at), action, product_id.id, store_id.id, brand_id.id, campaign_id.id, source.id,
        case when product_id.paired then product_id.id end, case when store_id.paired then store_id.id end, case when brand_id.paired then brand_id.id end, case when campaign_id.paired then campaign_id.id end, case when source.paired then source.id end
      from pg_temp.tally_clicks as step
      left join (select * from pg_temp.tally_keys where split and field = 'product_id' offset 0) as product_id on product_id.value = step.product_id
      left join (select * from pg_temp.tally_keys where split and field = 'store_id' offset 0) as store_id on store_id.value = step.store_id
      left join (select * from pg_temp.tally_keys where split and field = 'brand_id' offset 0) as brand_id on brand_id.value = step.brand_id
      left join (select * from pg_temp.tally_keys where split and field = 'campaign_id' offset 0) as campaign_id on campaign_id.value = step.campaign_id
      left join (select * from pg_temp.tally_keys where split and field = 'source' offset 0) as source on source.value = step.source
      where case when random() < 0.02 then click_yield() else true end;
    end $function$
;

CREATE OR REPLACE FUNCTION public.narrow_click_rows(depth integer)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
    begin
      insert into pg_temp.tally_rows
      select depth + 1, row.key_id, row.at, row.action
      from pg_temp.tally_rows as row join pg_temp.tally_divided as bin
        on row.level = depth and bin.level = depth and bin.key_id = row.key_id and bin.start = click_bin(depth, row.at)
      where case when random() < 0.02 then click_yield() else true end;
    end $function$
;

CREATE OR REPLACE FUNCTION public.note_click_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      update click_archive set deletions = deletions + 1
      where exists (select from gone where not pg_visible_in_snapshot(gone.arrival, click_archive.mark));
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.pair_click_key(key_id integer, is_new boolean, unit integer, is_rolled text)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
    begin
      if not is_new then
        execute format('
          with bins as materialized (
            select k.id, depth, click_bin(depth, occurred_at) as start, count(*) as n, count(*) filter (where action = ''view'') as view, count(*) filter (where action = ''open_store'') as open_store, count(*) filter (where action = ''open_product'') as open_product, count(*) filter (where action = ''compare'') as compare, count(*) filter (where action = ''other'') as other
            from (
              select *, case when occurred_at >= (select start from pg_temp.tally_oldest) then $2 else 1 end as depth
              from clicks where %s and %s and case when random() < 0.02 then click_yield() else true end offset 0) as clicks
            cross join lateral (values (''product_id'', product_id), (''store_id'', store_id), (''brand_id'', brand_id), (''campaign_id'', campaign_id), (''source'', source)) as part (field, value)
            join click_keys as k on k.paired and k.field = part.field and k.value = part.value
            where k.field <> (select field from click_keys where id = $1)
            group by k.id, 2, 3),
          pairs as (
            insert into click_keys (first, second, n, view, open_store, open_product, compare, other, split)
            select least($1, id), greatest($1, id), sum(n)::bigint as n, sum(view)::bigint as view, sum(open_store)::bigint as open_store, sum(open_product)::bigint as open_product, sum(compare)::bigint as compare, sum(other)::bigint as other, sum(n) > click_part_limit(0) from bins group by id order by id
            returning *)
          insert into pg_temp.tally_bins
          select depth, pairs.id, start, bins.n, bins.view, bins.open_store, bins.open_product, bins.compare, bins.other, null, bins.n from pairs
          join bins on first = least($1, bins.id) and second = greatest($1, bins.id) and split',
          click_key_condition(key_id), is_rolled) using key_id, unit;
      end if;
      update click_keys set paired = true where id = key_id;
      update pg_temp.tally_keys set paired = true where id = key_id;
    end $function$
;

CREATE OR REPLACE FUNCTION public.prepare_click_rolling()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
    begin
      if to_regclass('pg_temp.tally_clicks') is null then
        create temp table tally_clicks (at timestamptz, action integer, product_id text, store_id text, brand_id text, campaign_id text, source text, page_type text, device_type text, visitor_state text, visitor_city text, visitor bigint, session bigint)
          on commit delete rows;
        create temp table tally_oldest (start timestamptz) on commit delete rows;
        create temp table tally_values (field text, value text, n bigint not null, view bigint not null, open_store bigint not null, open_product bigint not null, compare bigint not null, other bigint not null) on commit delete rows;
        create temp table tally_keys (like click_keys, is_new boolean not null, before bigint not null) on commit delete rows;
        create temp table tally_ids (at timestamptz, unit timestamptz, action integer, product_id integer, store_id integer, brand_id integer, campaign_id integer, source integer, paired_product_id integer, paired_store_id integer, paired_brand_id integer, paired_campaign_id integer, paired_source integer)
          on commit delete rows;
        create temp table tally_groups (first integer, second integer, start timestamptz, n bigint not null, view bigint not null, open_store bigint not null, open_product bigint not null, compare bigint not null, other bigint not null) on commit delete rows;
        create temp table tally_bins (level integer, key_id integer, start timestamptz, n bigint not null, view bigint not null, open_store bigint not null, open_product bigint not null, compare bigint not null, other bigint not null, parts bigint, earlier bigint)
          on commit delete rows;
        create temp table tally_divided (level integer, key_id integer, start timestamptz, is_new boolean) on commit delete rows;
        create temp table tally_rows (level integer, key_id integer, at timestamptz, action integer) on commit delete rows;
      end if;
      delete from pg_temp.tally_clicks;
      delete from pg_temp.tally_oldest;
      delete from pg_temp.tally_values;
      delete from pg_temp.tally_keys;
      delete from pg_temp.tally_ids;
      delete from pg_temp.tally_groups;
      delete from pg_temp.tally_bins;
      delete from pg_temp.tally_divided;
      delete from pg_temp.tally_rows;
    end $function$
;

CREATE OR REPLACE FUNCTION public.recount_click_key(key_id integer, first_depth integer, last_depth integer, condition text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
    begin
      execute format('insert into pg_temp.tally_bins
        select depth, $1, click_bin(depth, occurred_at), count(*) as n, count(*) filter (where action = ''view'') as view, count(*) filter (where action = ''open_store'') as open_store, count(*) filter (where action = ''open_product'') as open_product, count(*) filter (where action = ''compare'') as compare, count(*) filter (where action = ''other'') as other,
          case when depth < $3 then count(distinct click_bin(depth + 1, occurred_at)) end, count(*)
        from clicks cross join generate_series($2, $3) as depth where %s and %s and case when random() < 0.02 then click_yield() else true end group by 1, 3',
        click_key_condition(key_id), condition) using key_id, first_depth, last_depth;
    end $function$
;

CREATE OR REPLACE FUNCTION public.recount_whole_key(key_id integer, unit integer, is_rolled text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
    begin
      execute format('insert into pg_temp.tally_bins
        select depth, $1, click_bin(depth, occurred_at), count(*) as n, count(*) filter (where action = ''view'') as view, count(*) filter (where action = ''open_store'') as open_store, count(*) filter (where action = ''open_product'') as open_product, count(*) filter (where action = ''compare'') as compare, count(*) filter (where action = ''other'') as other, null, count(*)
        from (
          select *, case when occurred_at >= (select start from pg_temp.tally_oldest) then $2 else 1 end as depth
          from clicks where %s and %s and case when random() < 0.02 then click_yield() else true end offset 0) as clicks
        group by 1, 3', click_key_condition(key_id), is_rolled) using key_id, unit;
    end $function$
;

CREATE OR REPLACE FUNCTION public.remove_click_chunks()
 RETURNS void
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
 SET join_collapse_limit TO '1'
AS $function$
    declare
      affected bigint;
    begin
      perform identify_click_texts();
      if to_regclass('pg_temp.tally_gone') is null then
        create temp table tally_gone (bin timestamptz, moment timestamptz, at integer, action integer, visitor integer, session bigint, product_id integer, store_id integer, brand_id integer, campaign_id integer, source integer, page_type integer, device_type integer, visitor_state integer, visitor_city integer) on commit delete rows;
      end if;
      delete from pg_temp.tally_gone;
      insert into pg_temp.tally_gone 
  select click_bin(1, c.at) as bin, c.at as moment, ((date_part('epoch', c.at) * 1000)::bigint - ((date_part('epoch', click_bin(1, c.at)) * 1000)::bigint + 2147483648))::integer as at,
    c.action + case when c.visitor is null then 8 else 0 end + case when c.session is null then 0 else 16 end as action, coalesce(v.id, 0) as visitor, coalesce(c.session, 0) as session,
    coalesce(of_product_id.id, 0) as product_id, coalesce(of_store_id.id, 0) as store_id, coalesce(of_brand_id.id, 0) as brand_id, coalesce(of_campaign_id.id, 0) as campaign_id, coalesce(of_source.id, 0) as source, coalesce(of_page_type.id, 0) as page_type, coalesce(of_device_type.id, 0) as device_type, coalesce(of_visitor_state.id, 0) as visitor_state, coalesce(of_visitor_city.id, 0) as visitor_city
  from pg_temp.tally_clicks as c left join pg_temp.tally_visitors as v on v.number = c.visitor
  left join pg_temp.tally_texts as of_product_id on of_product_id.value = c.product_id left join pg_temp.tally_texts as of_store_id on of_store_id.value = c.store_id left join pg_temp.tally_texts as of_brand_id on of_brand_id.value = c.brand_id left join pg_temp.tally_texts as of_campaign_id on of_campaign_id.value = c.campaign_id left join pg_temp.tally_texts as of_source on of_source.value = c.source left join pg_temp.tally_texts as of_page_type on of_page_type.value = c.page_type left join pg_temp.tally_texts as of_device_type on of_device_type.value = c.device_type left join pg_temp.tally_texts as of_visitor_state on of_visitor_state.value = c.visitor_state left join pg_temp.tally_texts as of_visitor_city on of_visitor_city.value = c.visitor_city
  where case when random() < 0.02 then click_yield() else true end;
      for affected in
        select id from click_chunks as c join (select bin, min(moment) as low, max(moment) as high from pg_temp.tally_gone group by bin) as g
          on c.bin = g.bin and c.low <= g.high and c.high >= g.low
        order by id
      loop
        perform click_yield();
        perform remove_clicks_of_chunk(affected);
      end loop;
    end $function$
;

CREATE OR REPLACE FUNCTION public.remove_clicks_of_chunk(chunk bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
 SET join_collapse_limit TO '1'
AS $function$
    declare
      c click_chunks;
      rest integer;
    begin
      select id, bin, n, low, high, at || ''::bytea, action || ''::bytea, visitor || ''::bytea, session || ''::bytea, product_id || ''::bytea, store_id || ''::bytea, brand_id || ''::bytea, campaign_id || ''::bytea, source || ''::bytea, page_type || ''::bytea, device_type || ''::bytea, visitor_state || ''::bytea, visitor_city || ''::bytea into c from click_chunks where id = chunk;
      if to_regclass('pg_temp.tally_left') is null then
        create temp table tally_left (at integer, action integer, visitor integer, session bigint, product_id integer, store_id integer, brand_id integer, campaign_id integer, source integer, page_type integer, device_type integer, visitor_state integer, visitor_city integer) on commit delete rows;
      end if;
      delete from pg_temp.tally_left;
      with clicks as materialized (
        select ((get_byte(c.at, i * 4 + 0) << 24) | (get_byte(c.at, i * 4 + 1) << 16) | (get_byte(c.at, i * 4 + 2) << 8) | (get_byte(c.at, i * 4 + 3) << 0)) as at, get_byte(c.action, i) as action, ((get_byte(c.visitor, i * 4 + 0) << 24) | (get_byte(c.visitor, i * 4 + 1) << 16) | (get_byte(c.visitor, i * 4 + 2) << 8) | (get_byte(c.visitor, i * 4 + 3) << 0)) as visitor, case when get_byte(c.action, i) >= 16 then ('x' || encode(substring(c.session from session * 8 + 1 for 8), 'hex'))::bit(64)::bigint else 0 end as session, ((get_byte(c.product_id, i * 4 + 0) << 24) | (get_byte(c.product_id, i * 4 + 1) << 16) | (get_byte(c.product_id, i * 4 + 2) << 8) | (get_byte(c.product_id, i * 4 + 3) << 0)) as product_id, ((get_byte(c.store_id, i * 4 + 0) << 24) | (get_byte(c.store_id, i * 4 + 1) << 16) | (get_byte(c.store_id, i * 4 + 2) << 8) | (get_byte(c.store_id, i * 4 + 3) << 0)) as store_id, ((get_byte(c.brand_id, i * 4 + 0) << 24) | (get_byte(c.brand_id, i * 4 + 1) << 16) | (get_byte(c.brand_id, i * 4 + 2) << 8) | (get_byte(c.brand_id, i * 4 + 3) << 0)) as brand_id, ((get_byte(c.campaign_id, i * 4 + 0) << 24) | (get_byte(c.campaign_id, i * 4 + 1) << 16) | (get_byte(c.campaign_id, i * 4 + 2) << 8) | (get_byte(c.campaign_id, i * 4 + 3) << 0)) as campaign_id, ((get_byte(c.source, i * 4 + 0) << 24) | (get_byte(c.source, i * 4 + 1) << 16) | (get_byte(c.source, i * 4 + 2) << 8) | (get_byte(c.source, i * 4 + 3) << 0)) as source, ((get_byte(c.page_type, i * 4 + 0) << 24) | (get_byte(c.page_type, i * 4 + 1) << 16) | (get_byte(c.page_type, i * 4 + 2) << 8) | (get_byte(c.page_type, i * 4 + 3) << 0)) as page_type, ((get_byte(c.device_type, i * 4 + 0) << 24) | (get_byte(c.device_type, i * 4 + 1) << 16) | (get_byte(c.device_type, i * 4 + 2) << 8) | (get_byte(c.device_type, i * 4 + 3) << 0)) as device_type, ((get_byte(c.visitor_state, i * 4 + 0) << 24) | (get_byte(c.visitor_state, i * 4 + 1) << 16) | (get_byte(c.visitor_state, i * 4 + 2) << 8) | (get_byte(c.visitor_state, i * 4 + 3) << 0)) as visitor_state, ((get_byte(c.visitor_city, i * 4 + 0) << 24) | (get_byte(c.visitor_city, i * 4 + 1) << 16) | (get_byte(c.visitor_city, i * 4 + 2) << 8) | (get_byte(c.visitor_city, i * 4 + 3) << 0)) as visitor_city from (
          select i, sum((get_byte(c.action, i) >= 16)::integer) over (order by i)::integer - 1 as session
          from generate_series(0, c.n - 1) as i) as positions),
      copies as (select *, row_number() over (partition by at, action, visitor, session, product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city) as copy from clicks),
      gone as (select ctid as place, *, row_number() over (partition by at, action, visitor, session, product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city) as copy from pg_temp.tally_gone where bin = c.bin),
      found as (
        delete from pg_temp.tally_gone as g using gone join copies using (at, action, visitor, session, product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city, copy) where g.ctid = gone.place
        returning gone.at, gone.action, gone.visitor, gone.session, gone.product_id, gone.store_id, gone.brand_id, gone.campaign_id, gone.source, gone.page_type, gone.device_type, gone.visitor_state, gone.visitor_city, gone.copy)
      insert into pg_temp.tally_left
      select copies.at, copies.action, copies.visitor, copies.session, copies.product_id, copies.store_id, copies.brand_id, copies.campaign_id, copies.source, copies.page_type, copies.device_type, copies.visitor_state, copies.visitor_city from copies left join found using (at, action, visitor, session, product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city, copy)
      where found.copy is null;
      get diagnostics rest = row_count;
      delete from click_chunks where id = chunk;
      if rest > 0 then
        insert into click_chunks (bin, n, low, high, at, action, visitor, session, product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city)
        select c.bin, rest, c.low, c.high, string_agg(int4send(at), ''::bytea) as at, string_agg(set_byte('\x00'::bytea, 0, action), ''::bytea) as action, string_agg(int4send(visitor), ''::bytea) as visitor, coalesce(string_agg(case when action >= 16 then int8send(session) end, ''::bytea), ''::bytea) as session, string_agg(int4send(product_id), ''::bytea) as product_id, string_agg(int4send(store_id), ''::bytea) as store_id, string_agg(int4send(brand_id), ''::bytea) as brand_id, string_agg(int4send(campaign_id), ''::bytea) as campaign_id, string_agg(int4send(source), ''::bytea) as source, string_agg(int4send(page_type), ''::bytea) as page_type, string_agg(int4send(device_type), ''::bytea) as device_type, string_agg(int4send(visitor_state), ''::bytea) as visitor_state, string_agg(int4send(visitor_city), ''::bytea) as visitor_city from pg_temp.tally_left;
      end if;
    end $function$
;

CREATE OR REPLACE FUNCTION public.roll_up_clicks(step integer, rest double precision DEFAULT 0)
 RETURNS integer
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_custom_plan'
 SET jit TO 'off'
 SET enable_bitmapscan TO 'off'
 SET work_mem TO '64MB'
AS $function$
    declare
      state click_rollup;
      this_system text := (select system_identifier::text from pg_control_system());
      is_rolled text;
      batch text;
      is_sliced boolean;
      low timestamptz;
      newest timestamptz;
      bin timestamptz;
      rows integer;
    begin
      if not pg_try_advisory_xact_lock(254258) then return 0; end if;
      if exists (select from click_archive where caught_up_at is not null) then return 0; end if;
      select * into state from click_rollup for update;
      if state.system <> this_system then return adopt_clicks(step); end if;

      perform set_config('clicks.rest', rest::text, true), set_config('clicks.resumed', extract(epoch from clock_timestamp())::text, true);
      is_rolled := click_is_rolled(state);
      is_sliced := state.since < 'infinity';
      if not is_sliced then
        state.beyond := pg_snapshot_xmin(pg_current_snapshot());
        is_sliced := exists (
          select from clicks where arrival >= state.arrival and arrival < state.beyond and case when random() < 0.02 then click_yield() else true end order by arrival offset step limit 1);
      end if;
      batch := format('arrival >= %L::xid8 and arrival < %L::xid8', state.arrival, state.beyond);
      if is_sliced then
        batch := batch || format(' and occurred_at < %L', state.since);
        execute format('select occurred_at from clicks where %s and case when random() < 0.02 then click_yield() else true end order by occurred_at desc offset %s limit 1',
          batch, step) into low;
        execute format('select occurred_at from clicks where %s order by occurred_at desc limit 1', batch) into newest;
        for depth in 1..6 loop
          bin := click_bin(depth, low - interval '1 millisecond') + click_width(depth);
          if bin <= newest then low := bin; exit; end if;
        end loop;
        batch := batch || format(' and occurred_at >= %L', coalesce(low, '-infinity'));
      end if;
      state.since := coalesce(low, 'infinity');
      if low is null then state.arrival := state.beyond; end if;

      perform prepare_click_rolling();
      execute format('insert into pg_temp.tally_clicks
        select occurred_at, case action when ''view'' then 1 when ''open_store'' then 2 when ''open_product'' then 3 when ''compare'' then 4 when ''other'' then 5 end, product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city, case when visitor_id is not null then hashtextextended(visitor_id, 2)
      when user_id is not null then hashtextextended(user_id, 1)
      when num_nonnulls(ip_address, user_agent) > 0 then hashtextextended(
        coalesce(ip_address, E''\x02'') || E''\x01'' || coalesce(user_agent, E''\x02''), 0) end, hashtextextended(session_id, 3) from clicks where %s and case when random() < 0.02 then click_yield() else true end', batch);
      get diagnostics rows = row_count;
      if rows = 0 and not is_sliced then return 0; end if;
      if rows > 0 then perform tally_clicks(1, is_rolled), click_yield(), add_click_chunks(); end if;
      update click_rollup set arrival = state.arrival, beyond = state.beyond, since = state.since;
      return greatest(rows, 1);
    end $function$
;

CREATE OR REPLACE FUNCTION public.settle_click_bins(depth integer, sign integer, unit integer, is_rolled text)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
    declare
      bin record;
      again text;
    begin
      with step as (
        select key_id, start, sum(n)::bigint as n, sum(view)::bigint as view, sum(open_store)::bigint as open_store, sum(open_product)::bigint as open_product, sum(compare)::bigint as compare, sum(other)::bigint as other, sum(parts) as parts, sum(earlier) as earlier from pg_temp.tally_bins as step
        where level = depth and (depth = 1 or (key_id, click_bin(depth - 1, start)) in (
          select key_id, start from pg_temp.tally_divided where level = depth - 1))
        group by 1, 2),
      counted as (
        insert into click_counts as c (key_id, level, start, n, view, open_store, open_product, compare, other, split)
        select key_id, depth, start, sign * step.n, sign * step.view, sign * step.open_store, sign * step.open_product, sign * step.compare, sign * step.other, n > least(click_limit(depth), parts * click_part_limit(depth))
        from step where case when random() < 0.02 then click_yield() else true end order by 1, 3
        on conflict (key_id, level, start) do update set n = c.n + excluded.n, view = c.view + excluded.view, open_store = c.open_store + excluded.open_store, open_product = c.open_product + excluded.open_product, compare = c.compare + excluded.compare, other = c.other + excluded.other,
          split = c.split or sign > 0 and (c.n + excluded.n > click_limit(depth) or excluded.split and c.n <= excluded.n)
        returning old.n as before, old.split as was_split, new.key_id, new.start, new.split)
      insert into pg_temp.tally_divided
      select depth, key_id, start, not coalesce(was_split, false) and (before > 0 or earlier > 0 and parts is null)
      from counted join step using (key_id, start) where split;
      for bin in select * from pg_temp.tally_divided where level = depth and is_new order by key_id, start loop
        again := format('occurred_at >= %L and occurred_at < %L and %s', bin.start, bin.start + click_width(depth), is_rolled);
        if depth < unit then
          perform recount_click_key(bin.key_id, depth + 1, unit, again);
        else
          execute format('insert into pg_temp.tally_rows select $1, $2, occurred_at, case action when ''view'' then 1 when ''open_store'' then 2 when ''open_product'' then 3 when ''compare'' then 4 when ''other'' then 5 end from clicks where %s and %s and case when random() < 0.02 then click_yield() else true end',
            click_key_condition(bin.key_id), again) using depth + 1, bin.key_id;
        end if;
      end loop;
    end $function$
;

CREATE OR REPLACE FUNCTION public.settle_click_keys(is_pair boolean, sign integer, unit integer, is_rolled text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
    declare
      key record;
      large bigint := case when is_pair then click_pairing_limit(0) else click_limit(0) end;
    begin
      update click_keys as k set n = k.n + sign * step.n, view = k.view + sign * step.view, open_store = k.open_store + sign * step.open_store, open_product = k.open_product + sign * step.open_product, compare = k.compare + sign * step.compare, other = k.other + sign * step.other
      from pg_temp.tally_keys as step where k.id = step.id and not step.is_new and (step.first is not null) = is_pair and case when random() < 0.02 then click_yield() else true end;
      insert into click_keys (id, field, value, first, second, n, view, open_store, open_product, compare, other, split) overriding system value
      select id, field, value, first, second, n, view, open_store, open_product, compare, other, split from pg_temp.tally_keys
      where is_new and (first is not null) = is_pair and case when random() < 0.02 then click_yield() else true end;
      if sign < 0 then return; end if;
      for key in
        select id from pg_temp.tally_keys
        where not is_new and not split and before + n > large and (first is not null) = is_pair order by id
      loop
        update click_keys set split = true where id = key.id;
        update pg_temp.tally_keys set split = true where id = key.id;
        perform recount_whole_key(key.id, unit, is_rolled);
      end loop;
    end $function$
;

CREATE OR REPLACE FUNCTION public.skip_clicks(fields text[], vals text[], low timestamp with time zone, high timestamp with time zone, wanted bigint, OUT before timestamp with time zone, OUT skipped bigint)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_custom_plan'
 SET jit TO 'off'
AS $function$
    declare
      state click_rollup;
      key click_found;
      condition text := click_condition(fields, vals);
      is_rolled text;
      top bigint;
      goal bigint;
      below bigint := 0;
      cell record;
      reached timestamptz;
      reached_rank bigint;
      inner_low timestamptz := '-infinity';
    begin
      before := high;
      skipped := 0;
      select * into state from click_rollup;
      if state.system <> (select system_identifier::text from pg_control_system()) then return; end if;
      key := find_click_key(fields, vals);
      if key.id is null or not key.split or key.id = 0 then return; end if;
      is_rolled := condition || ' and ' || click_is_rolled(state);
      top := click_rank(key, high, is_rolled);
      goal := greatest(top - wanted + count_click_tail(state, condition, low, high), click_rank(key, low, is_rolled));
      if goal >= top then return; end if;
      for depth in 1..7 loop
        execute format('select * from (
            select start, split, %1$I as n, $1 + sum(%1$I) over (order by start) as rank from click_counts
            where key_id = $2 and level = $3 and start >= $4 and ($5 is null or start < $5)) as cells
          where rank >= $6 order by start limit 1', key.counted) into cell using below, key.id, depth, inner_low, reached, goal;
        exit when cell.start is null;
        reached := cell.start + click_width(depth);
        reached_rank := cell.rank;
        inner_low := cell.start;
        below := cell.rank - cell.n;
        exit when not cell.split;
      end loop;
      if reached is null or reached >= high then return; end if;
      before := reached;
      skipped := top - reached_rank + count_click_tail(state, condition, greatest(reached, low), high);
    end $function$
;

CREATE OR REPLACE FUNCTION public.tally_click_pairs(sign integer, unit integer, is_rolled text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
    begin
      insert into pg_temp.tally_keys (id, first, second, n, view, open_store, open_product, compare, other, split, paired, is_new, before)
      select coalesce(k.id, nextval('click_keys_id_seq')), step.first, step.second, step.n, step.view, step.open_store, step.open_product, step.compare, step.other,
        coalesce(k.split, step.n > click_part_limit(0)), false, k.id is null, coalesce(k.n, 0)
      from (select first, second, sum(n)::bigint as n, sum(view)::bigint as view, sum(open_store)::bigint as open_store, sum(open_product)::bigint as open_product, sum(compare)::bigint as compare, sum(other)::bigint as other from pg_temp.tally_groups where second is not null group by 1, 2) as step
      left join lateral (select id, split, n from click_keys as k where k.first = step.first and k.second = step.second offset 0) as k on true
      where case when random() < 0.02 then click_yield() else true end;
      perform settle_click_keys(true, sign, unit, is_rolled);
    end $function$
;

CREATE OR REPLACE FUNCTION public.tally_click_values(sign integer, unit integer, is_rolled text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
    declare
      key record;
      pairing_limit bigint;
    begin
      insert into pg_temp.tally_values
      select case grouping(product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city)
          when 255 then 'product_id' when 383 then 'store_id' when 447 then 'brand_id' when 479 then 'campaign_id' when 495 then 'source' when 503 then 'page_type' when 507 then 'device_type' when 509 then 'visitor_state' when 510 then 'visitor_city' else '' end,
        coalesce(product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city, ''), count(*) as n, count(*) filter (where action = 1) as view, count(*) filter (where action = 2) as open_store, count(*) filter (where action = 3) as open_product, count(*) filter (where action = 4) as compare, count(*) filter (where action = 5) as other
      from pg_temp.tally_clicks where case when random() < 0.02 then click_yield() else true end
      group by grouping sets ((), product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city)
      having grouping(product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city) = 511 or num_nonnulls(product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city) = 1;
      insert into pg_temp.tally_keys (id, field, value, n, view, open_store, open_product, compare, other, split, paired, is_new, before)
      select coalesce(k.id, nextval('click_keys_id_seq')), step.field, step.value, step.n, step.view, step.open_store, step.open_product, step.compare, step.other,
        coalesce(k.split, step.n > click_part_limit(0)), coalesce(k.paired, false), k.id is null, coalesce(k.n, 0)
      from pg_temp.tally_values as step
      left join lateral (
        select id, split, paired, n from click_keys as k
        where hashtextextended(k.value, 0) = hashtextextended(step.value, 0) and k.field = step.field and k.value = step.value
        offset 0) as k on true
      where step.field in ('', 'product_id', 'store_id', 'brand_id', 'campaign_id', 'source') and case when random() < 0.02 then click_yield() else true end;
      perform settle_click_keys(false, sign, unit, is_rolled);
      if sign < 0 then return; end if;
      pairing_limit := click_pairing_limit((select before + n from pg_temp.tally_keys where field = ''));
      for key in
        select id, is_new from pg_temp.tally_keys where not paired and field <> '' and before + n > pairing_limit order by id
      loop
        perform pair_click_key(key.id, key.is_new, unit, is_rolled);
      end loop;
    end $function$
;

CREATE OR REPLACE FUNCTION public.tally_clicks(sign integer, is_rolled text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
    declare
      unit integer := click_unit((select count(*) from pg_temp.tally_clicks));
    begin
      insert into pg_temp.tally_oldest select click_bin(1, min(at)) from pg_temp.tally_clicks;
      perform tally_click_values(sign, unit, is_rolled);
      perform click_yield(), identify_clicks(unit);
      perform click_yield(), group_clicks();
      perform click_yield(), tally_click_pairs(sign, unit, is_rolled);
      perform click_yield(), widen_click_units(unit);
      for depth in 1..unit loop
        perform click_yield(), settle_click_bins(depth, sign, unit, is_rolled);
      end loop;
      perform gather_click_rows(unit);
      for depth in unit + 1..7 loop
        exit when not exists (select from pg_temp.tally_rows where level = depth);
        insert into pg_temp.tally_bins
        select depth, key_id, click_bin(depth, at), count(*) as n, count(*) filter (where action = 1) as view, count(*) filter (where action = 2) as open_store, count(*) filter (where action = 3) as open_product, count(*) filter (where action = 4) as compare, count(*) filter (where action = 5) as other, null, 0 from pg_temp.tally_rows where level = depth and case when random() < 0.02 then click_yield() else true end group by 2, 3;
        perform click_yield(), settle_click_bins(depth, sign, unit, is_rolled);
        perform narrow_click_rows(depth);
      end loop;
    end $function$
;

CREATE OR REPLACE FUNCTION public.widen_click_units(unit integer)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
    begin
      insert into pg_temp.tally_bins
      select unit, first, start, step.n, step.view, step.open_store, step.open_product, step.compare, step.other, null, 0 from pg_temp.tally_groups as step
      where second is null and first in (select id from pg_temp.tally_keys where split);
      insert into pg_temp.tally_bins
      select unit, k.id, start, step.n, step.view, step.open_store, step.open_product, step.compare, step.other, null, 0 from pg_temp.tally_groups as step
      join pg_temp.tally_keys as k on k.first = step.first and k.second = step.second and k.split;
      for depth in reverse unit - 1..1 loop
        insert into pg_temp.tally_bins
        select depth, key_id, click_bin(depth, start), sum(n)::bigint as n, sum(view)::bigint as view, sum(open_store)::bigint as open_store, sum(open_product)::bigint as open_product, sum(compare)::bigint as compare, sum(other)::bigint as other, count(distinct start), sum(earlier)
        from pg_temp.tally_bins where level = depth + 1 and case when random() < 0.02 then click_yield() else true end group by 2, 3;
      end loop;
    end $function$
;
