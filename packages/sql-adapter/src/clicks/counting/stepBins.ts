import { actionNumber, added, fields, inQuotes, list, pairs, signed, sums } from "./countColumns.ts"
import { yields } from "./yielding.ts"

const values = fields.join(", ")

/** The functions that add a step's counts to the bins, from the widest down. */
export const stepBins = [
  // Adds the step's counts to the bins of one level whose wider bin is split, and splits those that have become large. Splitting a counted
  // bin reads its clicks again, which takes half of the time of counting a burst. So a bin whose parts fill early is split while it is new.
  `create or replace function settle_click_bins(depth integer, sign integer, unit integer, is_rolled text) returns void language plpgsql
    set enable_nestloop = off set enable_mergejoin = off as $$
    declare
      bin record;
      again text;
    begin
      with step as (
        select key_id, start, ${sums}, sum(parts) as parts, sum(earlier) as earlier from pg_temp.tally_bins as step
        where level = depth and (depth = 1 or (key_id, click_bin(depth - 1, start)) in (
          select key_id, start from pg_temp.tally_divided where level = depth - 1))
        group by 1, 2),
      counted as (
        insert into click_counts as c (key_id, level, start, ${list}, split)
        select key_id, depth, start, ${signed("step")}, n > least(click_limit(depth), parts * click_part_limit(depth))
        from step where ${yields} order by 1, 3
        on conflict (key_id, level, start) do update set ${added("c", "excluded")},
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
          execute format('insert into pg_temp.tally_rows select $1, $2, occurred_at, ${inQuotes(actionNumber)} from clicks where %s and %s and ${yields}',
            click_key_condition(bin.key_id), again) using depth + 1, bin.key_id;
        end if;
      end loop;
    end $$`,
  // Collects the clicks of split units, once for each of their split keys. "offset 0" makes the planner find the keys before it joins by
  // time.
  `create or replace function gather_click_rows(depth integer) returns void language plpgsql
    set enable_nestloop = off set enable_mergejoin = off as $$
    declare
      all_clicks integer := (select id from pg_temp.tally_keys where field = '');
    begin
      insert into pg_temp.tally_rows
      select depth + 1, part.id, at, action
      from (
        select unnest(array[all_clicks, ${values}]) as id, unit, at, action from pg_temp.tally_ids
        where unit in (select start from pg_temp.tally_divided where level = depth) and ${yields} offset 0) as part
      join pg_temp.tally_divided as bin on bin.level = depth and bin.key_id = part.id and bin.start = part.unit;
      if not exists (
        select from pg_temp.tally_divided join pg_temp.tally_keys on id = key_id where level = depth and first is not null) then
        return;
      end if;
      insert into pg_temp.tally_rows
      select depth + 1, pair.id, at, action
      from (
        select least(one, another) as first, greatest(one, another) as second, unit, at, action from pg_temp.tally_ids
        cross join lateral (values ${pairs.map((pair) => `(${pair})`).join(", ")}) as part (one, another)
        where one is not null and another is not null and ${yields} offset 0) as part
      join (
        select k.id, k.first, k.second, bin.start from pg_temp.tally_divided as bin
        join pg_temp.tally_keys as k on k.id = bin.key_id and k.first is not null where level = depth offset 0) as pair
      on pair.first = part.first and pair.second = part.second and pair.start = part.unit;
    end $$`,
  `create or replace function narrow_click_rows(depth integer) returns void language plpgsql set enable_nestloop = off set enable_mergejoin = off as $$
    begin
      insert into pg_temp.tally_rows
      select depth + 1, row.key_id, row.at, row.action
      from pg_temp.tally_rows as row join pg_temp.tally_divided as bin
        on row.level = depth and bin.level = depth and bin.key_id = row.key_id and bin.start = click_bin(depth, row.at)
      where ${yields};
    end $$`
]
