import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { actionNumber, added, list, of, ofNumbers, signed, sums } from "../clickPairs/counts.ts"
import { fields, paired, pairs } from "./tallyFields.ts"

const values = fields.join(", ")
const pairedValues = paired.join(", ")

/** What adds a step's clicks to the pairs and the bins. */
export const tallyBins = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const text = sql.literal
  // The width by which the clicks of a step are grouped once; the wider bins are made of these numbers. A burst lies in a few bins of seconds,
  // an import in a few of days. It is the narrowest at which two clicks of the step share a bin with a chance of a half, or bins have 1,500
  // clicks on average: with fewer there are nearly as many numbers as clicks. A thousand clicks show it.
  yield* sql`
    create function click_unit(clicks bigint) returns integer language plpgsql as $$
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
    end $$`
  yield* sql`
    create function identify_clicks(depth integer) returns void language plpgsql set enable_nestloop = off set enable_mergejoin = off as $$
    begin
      insert into pg_temp.tally_ids
      select at, click_bin(depth, at), action, ${text(fields.map((field) => `${field}.id`).join(", "))},
        ${text(fields.map((field) => `case when ${field}.paired then ${field}.id end`).join(", "))}
      from pg_temp.tally_clicks as step
      ${text(
        fields
          .map(
            (field) =>
              `left join (select * from pg_temp.tally_keys where split and field = '${field}' offset 0) as ${field} on ${field}.value = step.${field}`
          )
          .join("\n      ")
      )};
    end $$`
  yield* sql`
    create function group_clicks() returns void language plpgsql as $$
    begin
      insert into pg_temp.tally_groups
      select coalesce(${text(values)}, least(${text(pairedValues)}), (select id from pg_temp.tally_keys where field = '')),
        case when grouping(${text(values)}) = 31 then greatest(${text(pairedValues)}) end, unit, ${text(ofNumbers)}
      from pg_temp.tally_ids
      group by grouping sets ((unit), ${text(fields.map((field) => `(unit, ${field})`).join(", "))},
        ${text(pairs.map((pair) => `(unit, ${pair})`).join(", "))})
      having grouping(${text(values)}, ${text(pairedValues)}) = 1023 or num_nonnulls(${text(values)}) = 1
        or num_nonnulls(${text(pairedValues)}) = 2;
    end $$`
  yield* sql`
    create function tally_click_pairs(sign integer, unit integer, is_rolled text) returns void language plpgsql as $$
    begin
      insert into pg_temp.tally_keys (id, first, second, ${text(list)}, split, paired, is_new, before)
      select coalesce(k.id, nextval('click_keys_id_seq')), step.first, step.second, ${text(of("step"))},
        coalesce(k.split, step.n > click_part_limit(0)), false, k.id is null, coalesce(k.n, 0)
      from (select first, second, ${text(sums)} from pg_temp.tally_groups where second is not null group by 1, 2) as step
      left join lateral (select id, split, n from click_keys as k where k.first = step.first and k.second = step.second offset 0) as k on true;
      perform settle_click_keys(true, sign, unit, is_rolled);
    end $$`
  // The sums for all bins down to the unit, also of what was counted before and is divided only now.
  yield* sql`
    create function widen_click_units(unit integer) returns void language plpgsql set enable_nestloop = off set enable_mergejoin = off as $$
    begin
      insert into pg_temp.tally_bins
      select unit, first, start, ${text(of("step"))}, null, 0 from pg_temp.tally_groups as step
      where second is null and first in (select id from pg_temp.tally_keys where split);
      insert into pg_temp.tally_bins
      select unit, k.id, start, ${text(of("step"))}, null, 0 from pg_temp.tally_groups as step
      join pg_temp.tally_keys as k on k.first = step.first and k.second = step.second and k.split;
      for depth in reverse unit - 1..1 loop
        insert into pg_temp.tally_bins
        select depth, key_id, click_bin(depth, start), ${text(sums)}, count(distinct start), sum(earlier)
        from pg_temp.tally_bins where level = depth + 1 group by 2, 3;
      end loop;
    end $$`
  // Adds the sums to the bins of one width whose wider bin is divided, and divides those that have become large. That means to read their
  // clicks again, from all over the table; so one whose parts fill early is divided while it is new.
  yield* sql`
    create function settle_click_bins(depth integer, sign integer, unit integer, is_rolled text) returns void language plpgsql
    set enable_nestloop = off set enable_mergejoin = off as $$
    declare
      bin record;
      again text;
    begin
      with step as (
        select key_id, start, ${text(sums)}, sum(parts) as parts, sum(earlier) as earlier from pg_temp.tally_bins as step
        where level = depth and (depth = 1 or (key_id, click_bin(depth - 1, start)) in (
          select key_id, start from pg_temp.tally_divided where level = depth - 1))
        group by 1, 2),
      counted as (
        insert into click_counts as c (key_id, level, start, ${text(list)}, split)
        select key_id, depth, start, ${text(signed("step"))}, n > least(click_limit(depth), parts * click_part_limit(depth))
        from step order by 1, 3
        on conflict (key_id, level, start) do update set ${text(added("c", "excluded"))},
          split = c.split or sign > 0 and (c.n + excluded.n > click_limit(depth) or excluded.split and c.n <= excluded.n)
        returning old.n as before, old.split as was_split, new.key_id, new.start, new.split)
      insert into pg_temp.tally_divided
      select depth, key_id, start, not coalesce(was_split, false) and (before > 0 or depth = unit and earlier > 0)
      from counted join step using (key_id, start) where split;
      for bin in select * from pg_temp.tally_divided where level = depth and is_new order by key_id, start loop
        again := format('occurred_at >= %L and occurred_at < %L and %s', bin.start, bin.start + click_width(depth), is_rolled);
        if depth < unit then
          perform recount_click_key(bin.key_id, depth + 1, unit, again);
        else
          execute format('insert into pg_temp.tally_rows select $1, $2, occurred_at, ${text(actionNumber.replaceAll("'", "''"))} from clicks where %s and %s',
            click_key_condition(bin.key_id), again) using depth + 1, bin.key_id;
        end if;
      end loop;
    end $$`
  // The clicks of the units that are divided, once for each of their keys that is.
  yield* sql`
    create or replace function gather_click_rows(depth integer) returns void language plpgsql
    set enable_nestloop = off set enable_mergejoin = off as $$
    declare
      all_clicks integer := (select id from pg_temp.tally_keys where field = '');
    begin
      insert into pg_temp.tally_rows
      select depth + 1, part.id, at, action
      from (
        select unnest(array[all_clicks, ${text(values)}]) as id, unit, at, action from pg_temp.tally_ids
        where unit in (select start from pg_temp.tally_divided where level = depth) offset 0) as part
      join pg_temp.tally_divided as bin on bin.level = depth and bin.key_id = part.id and bin.start = part.unit;
      if not exists (
        select from pg_temp.tally_divided join pg_temp.tally_keys on id = key_id where level = depth and first is not null) then
        return;
      end if;
      insert into pg_temp.tally_rows
      select depth + 1, pair.id, at, action
      from (
        select least(one, another) as first, greatest(one, another) as second, unit, at, action from pg_temp.tally_ids
        cross join lateral (values ${text(pairs.map((pair) => `(${pair})`).join(", "))}) as part (one, another)
        where one is not null and another is not null offset 0) as part
      join (
        select k.id, k.first, k.second, bin.start from pg_temp.tally_divided as bin
        join pg_temp.tally_keys as k on k.id = bin.key_id and k.first is not null where level = depth offset 0) as pair
      on pair.first = part.first and pair.second = part.second and pair.start = part.unit;
    end $$`
  yield* sql`
    create function narrow_click_rows(depth integer) returns void language plpgsql set enable_nestloop = off set enable_mergejoin = off as $$
    begin
      insert into pg_temp.tally_rows
      select depth + 1, row.key_id, row.at, row.action
      from pg_temp.tally_rows as row join pg_temp.tally_divided as bin
        on row.level = depth and bin.level = depth and bin.key_id = row.key_id and bin.start = click_bin(depth, row.at);
    end $$`
  yield* sql`
    create or replace function tally_clicks(sign integer, is_rolled text) returns void language plpgsql as $$
    declare
      unit integer := click_unit((select count(*) from pg_temp.tally_clicks));
    begin
      perform tally_click_values(sign, unit, is_rolled);
      perform identify_clicks(unit);
      perform group_clicks();
      perform tally_click_pairs(sign, unit, is_rolled);
      perform widen_click_units(unit);
      for depth in 1..unit loop
        perform settle_click_bins(depth, sign, unit, is_rolled);
      end loop;
      perform gather_click_rows(unit);
      for depth in unit + 1..7 loop
        exit when not exists (select from pg_temp.tally_rows where level = depth);
        insert into pg_temp.tally_bins
        select depth, key_id, click_bin(depth, at), ${text(ofNumbers)}, null, 0 from pg_temp.tally_rows where level = depth group by 2, 3;
        perform settle_click_bins(depth, sign, unit, is_rolled);
        perform narrow_click_rows(depth);
      end loop;
    end $$`
})
