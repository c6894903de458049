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

CREATE TABLE click_counts (
  key_id integer not null,
  level smallint not null,
  start timestamp(3) with time zone not null,
  n bigint not null,
  split boolean not null default false,
  constraint click_counts_pkey PRIMARY KEY (key_id, level, start)
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.05);
CREATE INDEX click_counts_by_instant ON public.click_counts USING btree (key_id) WHERE ((level = 6) AND split);

CREATE TABLE click_keys (
  id integer not null generated as identity,
  field text not null,
  value text not null,
  action text,
  n bigint not null,
  split boolean not null default false,
  constraint click_keys_pkey PRIMARY KEY (id)
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.05);
CREATE INDEX click_keys_by_value ON public.click_keys USING btree (hashtextextended(value, (0)::bigint), field);

CREATE TABLE click_rollup (
  single boolean not null default true,
  system text not null,
  arrival xid8 not null,
  since timestamp(3) with time zone not null,
  constraint click_rollup_pkey PRIMARY KEY (single),
  constraint click_rollup_single_check CHECK (single)
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

CREATE OR REPLACE FUNCTION public.click_gathering(source text, condition text, sign integer)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
    declare
      finest integer := case when exists (select from click_counts where level = 6 and split) then 7 else 6 end;
    begin
      return format($sql$
        insert into pg_temp.click_rolling (field, value, action, at, n)
        select field, value, action, click_bin(%s, occurred_at), %s * count(*)
        from %s cross join lateral (values ('', ''), ('product_id', product_id), ('store_id', store_id), ('brand_id', brand_id),
          ('campaign_id', campaign_id), ('source', source)) as keys (field, value)
        where %s and value is not null
        group by 1, 2, 3, 4$sql$, finest, sign, source, condition);
    end $function$
;

CREATE OR REPLACE FUNCTION public.click_is_rolled(state click_rollup)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
      select case when state.since = 'infinity' then format('arrival < %L::xid8', state.arrival)
        else format('(arrival < %1$L::xid8 or arrival = %1$L::xid8 and occurred_at >= %2$L::timestamptz)', state.arrival, state.since) end
    $function$
;

CREATE OR REPLACE FUNCTION public.click_is_tail(state click_rollup)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
      select case when state.since = 'infinity' then format('arrival >= %L::xid8', state.arrival)
        else format('(arrival > %1$L::xid8 or arrival = %1$L::xid8 and occurred_at < %2$L::timestamptz)', state.arrival, state.since) end
    $function$
;

CREATE OR REPLACE FUNCTION public.click_key(fields text[], vals text[])
 RETURNS click_keys
 LANGUAGE plpgsql
 STABLE
AS $function$
    declare
      key click_keys;
      sought_action text;
      sought_field text := '';
      sought_value text := '';
    begin
      for i in 1..cardinality(fields) loop
        if fields[i] = 'action' then sought_action := vals[i];
        elsif sought_field = '' then sought_field := fields[i]; sought_value := vals[i];
        else return null;
        end if;
      end loop;
      select * into key from click_keys as k
      where hashtextextended(k.value, 0) = hashtextextended(sought_value, 0) and k.field = sought_field and k.value = sought_value
        and k.action is null;
      if not found then
        key.id := 0;
        key.n := 0;
        key.split := true;
        return key;
      end if;
      if sought_action is null or not key.split then return key; end if;
      select * into key from click_keys as k
      where hashtextextended(k.value, 0) = hashtextextended(sought_value, 0) and k.field = sought_field and k.value = sought_value
        and k.action = sought_action;
      if not found then
        key.id := 0;
        key.n := 0;
        key.split := true;
      end if;
      return key;
    end $function$
;

CREATE OR REPLACE FUNCTION public.click_limit(level integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
      select (array[2000, 2000, 2000, 2000, 4000, 20000, 20000, 2147483647])[level + 1]
    $function$
;

CREATE OR REPLACE FUNCTION public.click_rank(key click_keys, until timestamp with time zone, state click_rollup)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
    declare
      rank bigint := 0;
      part bigint;
      cell click_counts;
      bin timestamptz;
      low timestamptz := '-infinity';
      high timestamptz := 'infinity';
      whole bigint := key.n;
      is_split boolean := key.split;
      condition text;
    begin
      if until = 'infinity' then return key.n; end if;
      if until = '-infinity' then return 0; end if;
      for depth in 1..7 loop
        exit when not is_split;
        bin := click_bin(depth, until);
        rank := rank + coalesce((select sum(n) from click_counts where key_id = key.id and level = depth and start >= low and start < bin), 0);
        if bin = until then return rank; end if;
        select * into cell from click_counts where key_id = key.id and level = depth and start = bin;
        if not found then return rank; end if;
        low := bin;
        high := bin + click_width(depth);
        whole := cell.n;
        is_split := cell.split;
      end loop;
      condition := click_condition(array[key.field, 'action'], array[key.value, key.action]) || ' and ' || click_is_rolled(state);
      if until - low < high - until or high = 'infinity' then
        execute format('select count(*) from clicks where occurred_at >= %L and occurred_at < %L and %s', low, until, condition) into part;
        return rank + part;
      end if;
      execute format('select count(*) from clicks where occurred_at >= %L and occurred_at < %L and %s', until, high, condition) into part;
      return rank + whole - part;
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

CREATE OR REPLACE FUNCTION public.count_clicks(fields text[], vals text[], low timestamp with time zone, high timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_custom_plan'
 SET jit TO 'off'
AS $function$
    declare
      state click_rollup;
      key click_keys;
      condition text := click_condition(fields, vals);
      range text := '';
      total bigint;
    begin
      if low >= high then return 0; end if;
      if low > '-infinity' then range := format(' and occurred_at >= %L', low); end if;
      if high < 'infinity' then range := range || format(' and occurred_at < %L', high); end if;
      select * into state from click_rollup;
      if state.system = (select system_identifier::text from pg_control_system()) then
        key := click_key(fields, vals);
      end if;
      if key.id is null or not key.split and 'action' = any (fields) and cardinality(fields) > 0 then
        execute format('select count(*) from clicks where %s%s', condition, range) into total;
        return total;
      end if;
      execute format('select count(*) from clicks where %s and %s%s', click_is_tail(state), condition, range) into total;
      return total + click_rank(key, high, state) - click_rank(key, low, state);
    end $function$
;

CREATE OR REPLACE FUNCTION public.forget_clicks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_custom_plan'
 SET jit TO 'off'
 SET work_mem TO '64MB'
AS $function$
    declare
      state click_rollup;
    begin
      perform pg_advisory_xact_lock(254258);
      select * into state from click_rollup for update;
      if tg_op = 'TRUNCATE' then
        delete from click_keys;
        delete from click_counts;
      else
        perform prepare_click_rolling();
        execute click_gathering('gone', click_is_rolled(state), -1);
        perform tally_clicks(click_is_rolled(state), click_is_rolled(state));
      end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.prepare_click_rolling()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
    begin
      if to_regclass('pg_temp.click_rolling') is null then
        create temp table click_rolling (field text, value text, action text, at timestamptz, n bigint) on commit delete rows;
        create temp table click_rolled (key_id integer, at timestamptz, n bigint) on commit delete rows;
        create temp table click_splitting (key_id integer, start timestamptz, is_new boolean) on commit delete rows;
        create temp table click_sums (field text, value text, action text, n bigint, id integer) on commit delete rows;
      end if;
      truncate pg_temp.click_rolling, pg_temp.click_rolled, pg_temp.click_splitting, pg_temp.click_sums;
    end $function$
;

CREATE OR REPLACE FUNCTION public.roll_up_clicks(step integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_custom_plan'
 SET jit TO 'off'
 SET work_mem TO '64MB'
AS $function$
    declare
      state click_rollup;
      this_system text := (select system_identifier::text from pg_control_system());
      upto xid8;
      first xid8;
      beyond xid8;
      low timestamptz;
      batch text;
      rows integer;
      is_rolled text;
    begin
      if not pg_try_advisory_xact_lock(254258) then return 0; end if;
      select * into state from click_rollup for update;
      if state.system <> this_system then
        with foreign_rows as (
          select id from clicks where arrival >= pg_snapshot_xmax(pg_current_snapshot()) order by arrival limit step)
        update clicks set arrival = '3' from foreign_rows where clicks.id = foreign_rows.id;
        get diagnostics rows = row_count;
        if rows = 0 then
          delete from click_keys;
          delete from click_counts;
          update click_rollup set system = this_system, arrival = '3', since = 'infinity';
        end if;
        return greatest(rows, 1);
      end if;

      is_rolled := click_is_rolled(state);
      upto := pg_snapshot_xmin(pg_current_snapshot());
      if state.since = 'infinity' then
        select arrival into first from clicks where arrival >= state.arrival and arrival < upto order by arrival limit 1;
        if first is null then return 0; end if;
        select arrival into beyond from clicks where arrival >= first and arrival < upto order by arrival offset step limit 1;
        if beyond is null or beyond > first then
          batch := format('arrival >= %L::xid8 and arrival < %L::xid8', first, coalesce(beyond, upto));
          state.arrival := coalesce(beyond, upto);
        else
          state.arrival := first;
        end if;
      end if;
      if batch is null then
        select occurred_at into low from clicks where arrival = state.arrival and occurred_at < state.since
        order by occurred_at desc offset step limit 1;
        batch := format('arrival = %L::xid8 and occurred_at >= %L and occurred_at < %L', state.arrival, coalesce(low, '-infinity'), state.since);
        if low is null then
          state.arrival := (state.arrival::text::bigint + 1)::text::xid8;
          state.since := 'infinity';
        else
          state.since := low;
        end if;
      end if;

      perform prepare_click_rolling();
      execute click_gathering('clicks', batch, 1);
      rows := (select sum(n) from pg_temp.click_rolling where field = '');
      perform tally_clicks(is_rolled, click_is_rolled(state));
      update click_rollup set arrival = state.arrival, since = state.since;
      return rows;
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
      key click_keys;
      condition text := click_condition(fields, vals);
      newer bigint;
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
      key := click_key(fields, vals);
      if key.id is null or not key.split or key.id = 0 then return; end if;
      execute format('select count(*) from clicks where %s and %s and occurred_at >= %L and occurred_at < %L',
        click_is_tail(state), condition, low, high) into newer;
      top := click_rank(key, high, state);
      goal := greatest(top - wanted + newer, click_rank(key, low, state));
      if goal >= top then return; end if;
      for depth in 1..7 loop
        select * into cell from (
          select start, split, n, below + sum(n) over (order by start) as rank from click_counts
          where key_id = key.id and level = depth and start >= inner_low
            and (reached is null or start < reached)) as cells
        where rank >= goal order by start limit 1;
        exit when not found;
        reached := cell.start + click_width(depth);
        reached_rank := cell.rank;
        inner_low := cell.start;
        below := cell.rank - cell.n;
        exit when not cell.split;
      end loop;
      if reached is null or reached >= high then return; end if;
      execute format('select count(*) from clicks where %s and %s and occurred_at >= %L and occurred_at < %L',
        click_is_tail(state), condition, reached, high) into newer;
      before := reached;
      skipped := top - reached_rank + newer;
    end $function$
;

CREATE OR REPLACE FUNCTION public.split_click_count(key click_keys, cell_level integer, cell timestamp with time zone, is_rolled text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
    begin
      execute format('insert into click_counts (key_id, level, start, n)
        select $1, $2, click_bin($2, occurred_at), count(*) from clicks
        where %s and occurred_at >= %L and occurred_at < %L and %s group by 3 order by 3',
        click_condition(array[key.field, 'action'], array[key.value, key.action]), cell, cell + click_width(cell_level), is_rolled)
      using key.id, cell_level + 1;
    end $function$
;

CREATE OR REPLACE FUNCTION public.split_click_key(key click_keys, is_rolled text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
    declare
      condition text := click_condition(array[key.field, 'action'], array[key.value, key.action]) || ' and ' || is_rolled;
    begin
      execute format('insert into click_counts (key_id, level, start, n)
        select $1, 1, click_bin(1, occurred_at), count(*) from clicks where %s group by 3 order by 3', condition) using key.id;
      if key.action is null then
        execute format('insert into click_keys (field, value, action, n)
          select $1, $2, action, count(*) from clicks where %s group by action order by action', condition) using key.field, key.value;
      end if;
    end $function$
;

CREATE OR REPLACE FUNCTION public.tally_clicks(is_rolled text, will_be_rolled text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
    declare
      key click_keys;
      cell record;
    begin
      insert into pg_temp.click_sums
      select sums.field, sums.value, null, sums.n, k.id
      from (select field, value, sum(n) as n from pg_temp.click_rolling group by 1, 2) as sums
      left join click_keys as k on k.action is null and hashtextextended(k.value, 0) = hashtextextended(sums.value, 0)
        and k.field = sums.field and k.value = sums.value;
      update click_keys as k set n = k.n + sums.n from pg_temp.click_sums as sums where k.id = sums.id;
      insert into click_keys (field, value, n) select field, value, n from pg_temp.click_sums where id is null;
      for key in
        update click_keys set split = true where not split and n > click_limit(0) and action is null
        and id in (select id from pg_temp.click_sums where id is not null) returning *
      loop
        perform split_click_key(key, is_rolled);
      end loop;
      update click_keys as k set split = true from pg_temp.click_sums as sums
      where sums.id is null and sums.n > click_limit(0) and k.action is null and hashtextextended(k.value, 0) = hashtextextended(sums.value, 0)
        and k.field = sums.field and k.value = sums.value;

      truncate pg_temp.click_sums;
      insert into pg_temp.click_sums
      select sums.field, sums.value, sums.action, sums.n, k.id
      from (
        select r.field, r.value, r.action, sum(r.n) as n from pg_temp.click_rolling as r
        join click_keys as k on k.action is null and k.split and hashtextextended(k.value, 0) = hashtextextended(r.value, 0)
          and k.field = r.field and k.value = r.value
        group by 1, 2, 3) as sums
      left join click_keys as k on k.action = sums.action and hashtextextended(k.value, 0) = hashtextextended(sums.value, 0)
        and k.field = sums.field and k.value = sums.value;
      update click_keys as k set n = k.n + sums.n from pg_temp.click_sums as sums where k.id = sums.id;
      insert into click_keys (field, value, action, n, split)
      select field, value, action, n, n > click_limit(0) from pg_temp.click_sums where id is null;
      for key in
        update click_keys set split = true where not split and n > click_limit(0) and action is not null
        and id in (select id from pg_temp.click_sums where id is not null) returning *
      loop
        perform split_click_key(key, is_rolled);
      end loop;

      insert into pg_temp.click_rolled
      select k.id, r.at, sum(r.n) from pg_temp.click_rolling as r
      join click_keys as k on hashtextextended(k.value, 0) = hashtextextended(r.value, 0) and k.field = r.field and k.value = r.value
        and k.split and (k.action is null or k.action = r.action)
      group by 1, 2;

      for depth in 1..7 loop
        truncate pg_temp.click_splitting;
        with sums as (
          select key_id, click_bin(depth, at) as start, sum(n) as n from pg_temp.click_rolled group by 1, 2 order by 1, 2),
        counted as (
          insert into click_counts as c (key_id, level, start, n, split)
          select key_id, depth, start, n, n > click_limit(depth) from sums
          on conflict (key_id, level, start) do update set n = c.n + excluded.n, split = c.split or c.n + excluded.n > click_limit(depth)
          returning old.n as before, old.split as was_split, new.*)
        insert into pg_temp.click_splitting
        select key_id, start, not coalesce(was_split, false) and (before > 0 or depth = 6) from counted where split;
        exit when depth = 7;
        for cell in select * from pg_temp.click_splitting where is_new order by key_id, start loop
          select * into key from click_keys where id = cell.key_id;
          perform split_click_count(key, depth, cell.start, case depth when 6 then will_be_rolled else is_rolled end);
        end loop;
        delete from pg_temp.click_rolled as r where not exists (
          select from pg_temp.click_splitting as s where s.key_id = r.key_id and s.start = click_bin(depth, r.at) and not (depth = 6 and s.is_new));
        exit when not exists (select from pg_temp.click_rolled);
      end loop;
    end $function$
;
