import { fields, list, of, ofAlike, paired, pairs, sums } from "./countColumns.ts"
import { yields } from "./yielding.ts"

const values = fields.join(", ")
const pairedValues = paired.join(", ")

/** The functions that group a step's clicks by key and unit of time. */
export const stepGroups = [
  // The level at which the clicks of a step are grouped: seconds for a burst, days for an import. It is the narrowest level at which two
  // clicks share a bin with probability 1/2, or at which bins hold 1,500 clicks on average. At narrower levels, there are nearly as many
  // groups as clicks. A sample of 1,000 clicks suffices.
  `create or replace function click_unit(clicks bigint) returns integer language plpgsql as $$
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
    end $$`,
  `create or replace function identify_clicks(depth integer) returns void language plpgsql set enable_nestloop = off set enable_mergejoin = off as $$
    begin
      insert into pg_temp.tally_ids
      select at, click_bin(depth, at), action, ${fields.map((field) => `${field}.id`).join(", ")},
        ${fields.map((field) => `case when ${field}.paired then ${field}.id end`).join(", ")}
      from pg_temp.tally_clicks as step
      ${fields
        .map(
          (field) =>
            `left join (select * from pg_temp.tally_keys where split and field = '${field}' offset 0) as ${field} on ${field}.value = step.${field}`
        )
        .join("\n      ")}
      where ${yields};
    end $$`,
  // Clicks with the same unit, action and keys are counted first. Most values are rare and have no split key, so the sixteen groupings then
  // read few rows: 0.5 to 0.8 µs per click instead of 2.2.
  `create or replace function group_clicks() returns void language plpgsql as $$
    begin
      insert into pg_temp.tally_groups
      with alike as materialized (
        select unit, action, ${values}, ${pairedValues}, count(*)::integer as clicks from pg_temp.tally_ids where ${yields}
        group by unit, action, ${values}, ${pairedValues})
      select coalesce(${values}, least(${pairedValues}), (select id from pg_temp.tally_keys where field = '')),
        case when grouping(${values}) = 31 then greatest(${pairedValues}) end, unit, ${ofAlike}
      from alike where ${yields}
      group by grouping sets ((unit), ${fields.map((field) => `(unit, ${field})`).join(", ")},
        ${pairs.map((pair) => `(unit, ${pair})`).join(", ")})
      having (grouping(${values}, ${pairedValues}) = 1023 or num_nonnulls(${values}) = 1
        or num_nonnulls(${pairedValues}) = 2) and ${yields};
    end $$`,
  `create or replace function tally_click_pairs(sign integer, unit integer, is_rolled text) returns void language plpgsql as $$
    begin
      insert into pg_temp.tally_keys (id, first, second, ${list}, split, paired, is_new, before)
      select coalesce(k.id, nextval('click_keys_id_seq')), step.first, step.second, ${of("step")},
        coalesce(k.split, step.n > click_part_limit(0)), false, k.id is null, coalesce(k.n, 0)
      from (select first, second, ${sums} from pg_temp.tally_groups where second is not null group by 1, 2) as step
      left join lateral (select id, split, n from click_keys as k where k.first = step.first and k.second = step.second offset 0) as k on true
      where ${yields};
      perform settle_click_keys(true, sign, unit, is_rolled);
    end $$`,
  // Computes the counts of all bins down to the unit, including earlier clicks of keys that are split in this step.
  `create or replace function widen_click_units(unit integer) returns void language plpgsql set enable_nestloop = off set enable_mergejoin = off as $$
    begin
      insert into pg_temp.tally_bins
      select unit, first, start, ${of("step")}, null, 0 from pg_temp.tally_groups as step
      where second is null and first in (select id from pg_temp.tally_keys where split);
      insert into pg_temp.tally_bins
      select unit, k.id, start, ${of("step")}, null, 0 from pg_temp.tally_groups as step
      join pg_temp.tally_keys as k on k.first = step.first and k.second = step.second and k.split;
      for depth in reverse unit - 1..1 loop
        insert into pg_temp.tally_bins
        select depth, key_id, click_bin(depth, start), ${sums}, count(distinct start), sum(earlier)
        from pg_temp.tally_bins where level = depth + 1 and ${yields} group by 2, 3;
      end loop;
    end $$`
]
