import { chunkFields, sessionNumber, visitorNumber } from "./chunkColumns.ts"
import { actionNumber, definitions, fields, inQuotes, ofNumbers, paired } from "./countColumns.ts"
import { yields } from "./yielding.ts"

const integers = (columns: ReadonlyArray<string>): string =>
  columns.map((column) => `${column} integer`).join(", ")

// The columns that a step reads of each click.
const taken = `occurred_at, ${actionNumber}, ${chunkFields.join(", ")}, ${visitorNumber}, ${sessionNumber}`

/** The functions that count clicks in steps, and subtract deleted ones. */
export const countingStep = [
  // Counts about the next "step" clicks, and returns their number; 0 if none are left, another session is counting, or an archive counts.
  // All transactions before the snapshot's xmin have ended, so their clicks are complete. If they have more clicks than a step, these are
  // counted in slices, from the newest down. A slice ends at the boundary of the widest possible bin, because a bin begun in one slice and
  // split in the next would be read twice.
  // work_mem: with the default of 4 MB, sorting and hashing spill to disk. Bitmap scans are disabled because they collect millions of rows
  // for a few thousand of one value, which an index has side by side.
  `create or replace function roll_up_clicks(step integer, rest double precision default 0) returns integer language plpgsql
    set plan_cache_mode = force_custom_plan set jit = off set enable_bitmapscan = off set work_mem = '64MB' as $$
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
          select from clicks where arrival >= state.arrival and arrival < state.beyond and ${yields} order by arrival offset step limit 1);
      end if;
      batch := format('arrival >= %L::xid8 and arrival < %L::xid8', state.arrival, state.beyond);
      if is_sliced then
        batch := batch || format(' and occurred_at < %L', state.since);
        execute format('select occurred_at from clicks where %s and ${yields} order by occurred_at desc offset %s limit 1',
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
        select ${inQuotes(taken)} from clicks where %s and ${yields}', batch);
      get diagnostics rows = row_count;
      if rows = 0 and not is_sliced then return 0; end if;
      if rows > 0 then perform tally_clicks(1, is_rolled), click_yield(), add_click_chunks(); end if;
      update click_rollup set arrival = state.arrival, beyond = state.beyond, since = state.since;
      return greatest(rows, 1);
    end $$`,
  // After a dump was restored in another cluster: assigns the first transaction number to clicks whose number has not been reached here,
  // then restarts counting.
  `create or replace function adopt_clicks(step integer) returns integer language plpgsql as $$
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
    end $$`,
  // Subtracts deleted clicks in the deleting transaction. The lock prevents a counting step in between.
  `create or replace function forget_clicks() returns trigger language plpgsql
    set plan_cache_mode = force_custom_plan set jit = off set enable_bitmapscan = off set work_mem = '64MB' as $$
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
        select ${inQuotes(taken)} from gone where %s',
        click_is_rolled(state));
      get diagnostics rows = row_count;
      if rows > 0 then perform tally_clicks(-1, click_is_rolled(state)), remove_click_chunks(); end if;
      return null;
    end $$`,
  `create trigger clicks_deleted after delete on clicks referencing old table as gone for each statement execute function forget_clicks()`,
  `create trigger clicks_truncated after truncate on clicks for each statement execute function forget_clicks()`,
  // The working tables of a step, in order: its clicks; the start of its oldest wide bin; counts by value; its keys; its clicks with key ids
  // (paired keys separately) and unit of time; counts by key or pair and unit; counts by key and bin, with the number of non-empty parts and of
  // clicks from before the step; bins to split; clicks of split units, once per key.
  `create or replace function prepare_click_rolling() returns void language plpgsql as $$
    begin
      if to_regclass('pg_temp.tally_clicks') is null then
        create temp table tally_clicks (at timestamptz, action integer, ${chunkFields.map((field) => `${field} text`).join(", ")}, visitor bigint, session bigint)
          on commit delete rows;
        create temp table tally_oldest (start timestamptz) on commit delete rows;
        create temp table tally_values (field text, value text, ${definitions}) on commit delete rows;
        create temp table tally_keys (like click_keys, is_new boolean not null, before bigint not null) on commit delete rows;
        create temp table tally_ids (at timestamptz, unit timestamptz, action integer, ${integers(fields)}, ${integers(paired)})
          on commit delete rows;
        create temp table tally_groups (first integer, second integer, start timestamptz, ${definitions}) on commit delete rows;
        create temp table tally_bins (level integer, key_id integer, start timestamptz, ${definitions}, parts bigint, earlier bigint)
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
    end $$`,
  // Adds (sign 1) or subtracts (sign -1) the clicks in tally_clicks. They are grouped once, by key and unit of time; wider bins are sums of
  // these groups. Only for keys whose units are split are the clicks of the step read again.
  `create or replace function tally_clicks(sign integer, is_rolled text) returns void language plpgsql as $$
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
        select depth, key_id, click_bin(depth, at), ${ofNumbers}, null, 0 from pg_temp.tally_rows where level = depth and ${yields} group by 2, 3;
        perform click_yield(), settle_click_bins(depth, sign, unit, is_rolled);
        perform narrow_click_rows(depth);
      end loop;
    end $$`
]
