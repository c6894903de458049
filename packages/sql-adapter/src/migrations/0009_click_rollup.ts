import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What keeps the counts of clicks. */
export const clickRollup = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A batch by key and by 125 ms, or by instant where an instant has very many (the days of an import without times).
  yield* sql`
    create function click_gathering(source text, condition text, sign integer) returns text language plpgsql stable as $$
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
    end $$`
  // Dividing counts the clicks that were there before the batch, at most `click_limit` of them; the batch is added after. Only
  // single instants are counted with the batch, which knows its clicks by 125 ms.
  yield* sql`
    create function split_click_key(key click_keys, is_rolled text) returns void language plpgsql as $$
    declare
      condition text := click_condition(array[key.field, 'action'], array[key.value, key.action]) || ' and ' || is_rolled;
    begin
      execute format('insert into click_counts (key_id, level, start, n)
        select $1, 1, click_bin(1, occurred_at), count(*) from clicks where %s group by 3 order by 3', condition) using key.id;
      if key.action is null then
        execute format('insert into click_keys (field, value, action, n)
          select $1, $2, action, count(*) from clicks where %s group by action order by action', condition) using key.field, key.value;
      end if;
    end $$`
  yield* sql`
    create function split_click_count(key click_keys, cell_level integer, cell timestamptz, is_rolled text) returns void language plpgsql as $$
    begin
      execute format('insert into click_counts (key_id, level, start, n)
        select $1, $2, click_bin($2, occurred_at), count(*) from clicks
        where %s and occurred_at >= %L and occurred_at < %L and %s group by 3 order by 3',
        click_condition(array[key.field, 'action'], array[key.value, key.action]), cell, cell + click_width(cell_level), is_rolled)
      using key.id, cell_level + 1;
    end $$`
  yield* sql`
    create function prepare_click_rolling() returns void language plpgsql as $$
    begin
      if to_regclass('pg_temp.click_rolling') is null then
        create temp table click_rolling (field text, value text, action text, at timestamptz, n bigint) on commit delete rows;
        create temp table click_rolled (key_id integer, at timestamptz, n bigint) on commit delete rows;
        create temp table click_splitting (key_id integer, start timestamptz, is_new boolean) on commit delete rows;
        create temp table click_sums (field text, value text, action text, n bigint, id integer) on commit delete rows;
      end if;
      truncate pg_temp.click_rolling, pg_temp.click_rolled, pg_temp.click_splitting, pg_temp.click_sums;
    end $$`
  // Adds the batch in click_rolling: to the keys, to the keys with an action where the key has many clicks, to the bins from the
  // widest down as far as they are divided.
  yield* sql`
    create function tally_clicks(is_rolled text, will_be_rolled text) returns void language plpgsql as $$
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
    end $$`
  // Every transaction before the snapshot's xmin has ended, so its rows are all there and no more will come.
  // The batches are sorted and hashed, which goes to disk with the default of 4 MB.
  yield* sql`
    create function roll_up_clicks(step integer) returns integer language plpgsql
    set plan_cache_mode = force_custom_plan set jit = off set work_mem = '64MB' as $$
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
    end $$`
  // Clicks that are deleted leave the counts in the same transaction. The lock lets no roll-up in between.
  yield* sql`
    create function forget_clicks() returns trigger language plpgsql
    set plan_cache_mode = force_custom_plan set jit = off set work_mem = '64MB' as $$
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
    end $$`
  yield* sql`
    create trigger clicks_deleted after delete on clicks referencing old table as gone for each statement execute function forget_clicks()`
  yield* sql`
    create trigger clicks_truncated after truncate on clicks for each statement execute function forget_clicks()`
})
