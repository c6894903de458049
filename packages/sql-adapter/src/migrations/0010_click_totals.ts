import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What answers from the counts of clicks, exactly: counts, and the rows that they do not cover yet. */
export const clickTotals = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The key for what is sought. No id: none, its clicks have to be looked at. Id 0: there are no counted clicks of it.
  yield* sql`
    create function click_key(fields text[], vals text[]) returns click_keys language plpgsql stable as $$
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
    end $$`
  // How many counted clicks of the key lie before an instant: whole bins, and the rows of the smaller side of the last one.
  yield* sql`
    create function click_rank(key click_keys, until timestamptz, state click_rollup) returns bigint language plpgsql stable as $$
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
    end $$`
  // The total. A stable function sees the snapshot of the statement it is called in, so it agrees with the page there.
  yield* sql`
    create function count_clicks(fields text[], vals text[], low timestamptz, high timestamptz) returns bigint language plpgsql stable
    set plan_cache_mode = force_custom_plan set jit = off as $$
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
    end $$`
  // Where to begin for a page far down: an instant, and how many matching clicks come before it in the listing.
  yield* sql`
    create function skip_clicks(fields text[], vals text[], low timestamptz, high timestamptz, wanted bigint,
      out before timestamptz, out skipped bigint) language plpgsql stable
    set plan_cache_mode = force_custom_plan set jit = off as $$
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
    end $$`
})
