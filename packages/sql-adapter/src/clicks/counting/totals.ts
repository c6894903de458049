import { fields } from "./countColumns.ts"

const countedFields = fields.map((field) => `'${field}'`).join(", ")

/** The functions that compute results from the counts: exact totals, and the start of a deep page. */
export const totals = [
  `create type click_found as (id integer, n bigint, split boolean, counted text)`,
  // The total. A stable function uses the snapshot of the calling statement, so total and page agree.
  `create or replace function count_clicks(fields text[], vals text[], low timestamptz, high timestamptz) returns bigint
    language plpgsql stable set plan_cache_mode = force_custom_plan set jit = off as $$
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
    end $$`,
  // The key for a filter, its number of clicks, and the column that counts them. If the id is null, there is no such key, and rows must be
  // counted. If the id is 0, no counted click matches.
  `create or replace function find_click_key(fields text[], vals text[]) returns click_found language plpgsql stable as $$
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
        elsif fields[i] not in (${countedFields}) then
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
    end $$`,
  // The number of counted clicks of a key before an instant. Adds up whole bins, and reads the rows of the smaller side of the last bin.
  `create or replace function click_rank(key click_found, until timestamptz, condition text) returns bigint language plpgsql stable as $$
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
    end $$`,
  // The number of clicks that are not counted yet: those of later transactions, and the rest of those being counted.
  `create or replace function count_click_tail(state click_rollup, condition text, low timestamptz, high timestamptz) returns bigint
    language plpgsql stable as $$
    declare
      is_sliced boolean := state.since < 'infinity';
      newest bigint := count_click_rows(format('arrival >= %L::xid8 and %s', case when is_sliced then state.beyond else state.arrival end,
        condition), low, high);
    begin
      if not is_sliced or low >= state.since then return newest; end if;
      return newest + count_click_rows(format('arrival >= %L::xid8 and arrival < %L::xid8 and %s', state.arrival, state.beyond, condition),
        low, least(high, state.since));
    end $$`,
  `create or replace function count_click_rows(condition text, low timestamptz, high timestamptz) returns bigint language plpgsql stable as $$
    declare
      total bigint;
    begin
      if low > '-infinity' then condition := condition || format(' and occurred_at >= %L', low); end if;
      if high < 'infinity' then condition := condition || format(' and occurred_at < %L', high); end if;
      execute 'select count(*) from clicks where ' || condition into total;
      return total;
    end $$`,
  // Finds where a deep page starts: an instant, and the number of matching clicks that precede it in listing order.
  `create or replace function skip_clicks(fields text[], vals text[], low timestamptz, high timestamptz, wanted bigint,
      out before timestamptz, out skipped bigint) language plpgsql stable
    set plan_cache_mode = force_custom_plan set jit = off as $$
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
    end $$`
]
