import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { actionNumber } from "../clickPairs/counts.ts"

/** What takes the clicks to be counted in steps, and back out when they are deleted. */
export const tallyRollup = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Every transaction before the snapshot's xmin has ended, so its rows are all there and no more will come. When they are more
  // than a step, these transactions are counted from their newest click down. A step ends with a bin, the widest that it has room
  // for: a bin that one step begins and the next one divides would be read again.
  // The steps are sorted and hashed, which goes to disk with the default of 4 MB. Bitmaps of millions of rows are made for a few
  // thousand of one value: an index has them in one piece.
  yield* sql`
    create or replace function roll_up_clicks(step integer) returns integer language plpgsql
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
      select * into state from click_rollup for update;
      if state.system <> this_system then return adopt_clicks(step); end if;

      is_rolled := click_is_rolled(state);
      is_sliced := state.since < 'infinity';
      if not is_sliced then
        state.beyond := pg_snapshot_xmin(pg_current_snapshot());
        is_sliced := exists (
          select from clicks where arrival >= state.arrival and arrival < state.beyond order by arrival offset step limit 1);
      end if;
      batch := format('arrival >= %L::xid8 and arrival < %L::xid8', state.arrival, state.beyond);
      if is_sliced then
        batch := batch || format(' and occurred_at < %L', state.since);
        execute format('select occurred_at from clicks where %s order by occurred_at desc offset %s limit 1', batch, step) into low;
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
        select occurred_at, ${sql.literal(actionNumber.replaceAll("'", "''"))}, product_id, store_id, brand_id, campaign_id, source from clicks where %s', batch);
      get diagnostics rows = row_count;
      if rows = 0 and not is_sliced then return 0; end if;
      if rows > 0 then perform tally_clicks(1, is_rolled); end if;
      update click_rollup set arrival = state.arrival, beyond = state.beyond, since = state.since;
      return greatest(rows, 1);
    end $$`
  // Clicks that are deleted leave the counts in the same transaction. The lock lets no roll-up in between.
  yield* sql`
    create or replace function forget_clicks() returns trigger language plpgsql
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
        return null;
      end if;
      perform prepare_click_rolling();
      execute format('insert into pg_temp.tally_clicks
        select occurred_at, ${sql.literal(actionNumber.replaceAll("'", "''"))}, product_id, store_id, brand_id, campaign_id, source from gone where %s',
        click_is_rolled(state));
      get diagnostics rows = row_count;
      if rows > 0 then perform tally_clicks(-1, click_is_rolled(state)); end if;
      return null;
    end $$`
})
