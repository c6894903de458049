import { chunkFields } from "./chunkColumns.ts"
import { added, fields, inQuotes, list, of, ofClicks, ofNumbers, sums } from "./countColumns.ts"
import { yields } from "./yielding.ts"

const texts = chunkFields.join(", ")

// The value of `grouping` if no field is grouped: one bit for each field.
const allFields = 2 ** chunkFields.length - 1

/** The functions that add a step's clicks to the keys of single values. */
export const stepKeys = [
  // The values of all fields are collected once, for keys and for chunks.
  // "lateral … offset 0" forces an index lookup per value, whatever the planner estimates.
  `create or replace function tally_click_values(sign integer, unit integer, is_rolled text) returns void language plpgsql as $$
    declare
      key record;
      pairing_limit bigint;
    begin
      insert into pg_temp.tally_values
      select case grouping(${texts})
          ${chunkFields.map((field, index) => `when ${allFields - (allFields + 1) / 2 ** (index + 1)} then '${field}'`).join(" ")} else '' end,
        coalesce(${texts}, ''), ${ofNumbers}
      from pg_temp.tally_clicks where ${yields}
      group by grouping sets ((), ${texts})
      having grouping(${texts}) = ${allFields} or num_nonnulls(${texts}) = 1;
      insert into pg_temp.tally_keys (id, field, value, ${list}, split, paired, is_new, before)
      select coalesce(k.id, nextval('click_keys_id_seq')), step.field, step.value, ${of("step")},
        coalesce(k.split, step.n > click_part_limit(0)), coalesce(k.paired, false), k.id is null, coalesce(k.n, 0)
      from pg_temp.tally_values as step
      left join lateral (
        select id, split, paired, n from click_keys as k
        where hashtextextended(k.value, 0) = hashtextextended(step.value, 0) and k.field = step.field and k.value = step.value
        offset 0) as k on true
      where step.field in ('', ${fields.map((field) => `'${field}'`).join(", ")}) and ${yields};
      perform settle_click_keys(false, sign, unit, is_rolled);
      if sign < 0 then return; end if;
      pairing_limit := click_pairing_limit((select before + n from pg_temp.tally_keys where field = ''));
      for key in
        select id, is_new from pg_temp.tally_keys where not paired and field <> '' and before + n > pairing_limit order by id
      loop
        perform pair_click_key(key.id, key.is_new, unit, is_rolled);
      end loop;
    end $$`,
  // Adds the step's counts to the keys and splits those that have become large.
  `create or replace function settle_click_keys(is_pair boolean, sign integer, unit integer, is_rolled text) returns void language plpgsql as $$
    declare
      key record;
      large bigint := case when is_pair then click_pairing_limit(0) else click_limit(0) end;
    begin
      update click_keys as k set ${added("k", "step", "sign * ")}
      from pg_temp.tally_keys as step where k.id = step.id and not step.is_new and (step.first is not null) = is_pair and ${yields};
      insert into click_keys (id, field, value, first, second, ${list}, split) overriding system value
      select id, field, value, first, second, ${list}, split from pg_temp.tally_keys
      where is_new and (first is not null) = is_pair and ${yields};
      if sign < 0 then return; end if;
      for key in
        select id from pg_temp.tally_keys
        where not is_new and not split and before + n > large and (first is not null) = is_pair order by id
      loop
        update click_keys set split = true where id = key.id;
        update pg_temp.tally_keys set split = true where id = key.id;
        perform recount_whole_key(key.id, unit, is_rolled);
      end loop;
    end $$`,
  // When the second of two values becomes frequent, this creates their pair, and splits it if it already has many clicks. Otherwise, a
  // later split would read all clicks of one value again. New keys have no statistics: without the two settings, the planner compared every
  // click with every key, which took a second per value.
  `create or replace function pair_click_key(key_id integer, is_new boolean, unit integer, is_rolled text) returns void language plpgsql
    set enable_nestloop = off set enable_mergejoin = off as $$
    begin
      if not is_new then
        execute format('
          with bins as materialized (
            select k.id, depth, click_bin(depth, occurred_at) as start, ${inQuotes(ofClicks)}
            from (
              select *, case when occurred_at >= (select start from pg_temp.tally_oldest) then $2 else 1 end as depth
              from clicks where %s and %s and ${yields} offset 0) as clicks
            cross join lateral (values ${fields.map((field) => `(''${field}'', ${field})`).join(", ")}) as part (field, value)
            join click_keys as k on k.paired and k.field = part.field and k.value = part.value
            where k.field <> (select field from click_keys where id = $1)
            group by k.id, 2, 3),
          pairs as (
            insert into click_keys (first, second, ${list}, split)
            select least($1, id), greatest($1, id), ${sums}, sum(n) > click_part_limit(0) from bins group by id order by id
            returning *)
          insert into pg_temp.tally_bins
          select depth, pairs.id, start, ${of("bins")}, null, bins.n from pairs
          join bins on first = least($1, bins.id) and second = greatest($1, bins.id) and split',
          click_key_condition(key_id), is_rolled) using key_id, unit;
      end if;
      update click_keys set paired = true where id = key_id;
      update pg_temp.tally_keys set paired = true where id = key_id;
    end $$`,
  // Counts a key's earlier clicks within a bin again. All widths are counted at once, because the clicks are spread over the whole table.
  `create or replace function recount_click_key(key_id integer, first_depth integer, last_depth integer, condition text) returns void language plpgsql as $$
    begin
      execute format('insert into pg_temp.tally_bins
        select depth, $1, click_bin(depth, occurred_at), ${inQuotes(ofClicks)},
          case when depth < $3 then count(distinct click_bin(depth + 1, occurred_at)) end, count(*)
        from clicks cross join generate_series($2, $3) as depth where %s and %s and ${yields} group by 1, 3',
        click_key_condition(key_id), condition) using key_id, first_depth, last_depth;
    end $$`,
  // Counts all earlier clicks of a key again: by unit of time from the step's oldest wide bin on, and by the widest bins before that, where
  // clicks are sparse and bins rarely split.
  `create or replace function recount_whole_key(key_id integer, unit integer, is_rolled text) returns void language plpgsql as $$
    begin
      execute format('insert into pg_temp.tally_bins
        select depth, $1, click_bin(depth, occurred_at), ${inQuotes(ofClicks)}, null, count(*)
        from (
          select *, case when occurred_at >= (select start from pg_temp.tally_oldest) then $2 else 1 end as depth
          from clicks where %s and %s and ${yields} offset 0) as clicks
        group by 1, 3', click_key_condition(key_id), is_rolled) using key_id, unit;
    end $$`
]
