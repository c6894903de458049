import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { added, definitions, list, of, ofClicks, ofNumbers, signed, sums } from "./counts.ts"

const fields = ["product_id", "store_id", "brand_id", "campaign_id", "source"] as const
const values = fields.join(", ")
const paired = fields.map((field) => `paired_${field}`)
const pairs = paired.flatMap((one, index) => paired.slice(index + 1).map((another) => `${one}, ${another}`))
const inQuotes = (code: string): string => code.replaceAll("'", "''")

/** What adds a step's clicks to the counts. */
export const pairTally = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const text = sql.literal
  // The step's clicks; their numbers by value or pair and widest bin; its keys; its clicks with the keys that are divided and,
  // apart, those that are paired; each click once for each of its keys whose bins are divided further; sums for bins; divided bins.
  yield* sql`
    create or replace function prepare_click_rolling() returns void language plpgsql as $$
    begin
      if to_regclass('pg_temp.click_step') is null then
        create temp table click_step (at timestamptz, action integer, product_id text, store_id text, brand_id text, campaign_id text,
          source text) on commit delete rows;
        create temp table click_step_groups (field text, value text, first integer, second integer, start timestamptz,
          ${text(definitions)}) on commit delete rows;
        create temp table click_step_keys (like click_keys, is_new boolean not null, before bigint not null) on commit delete rows;
        create temp table click_step_ids (at timestamptz, action integer, ${text(fields.map((field) => `${field} integer`).join(", "))},
          ${text(paired.map((field) => `${field} integer`).join(", "))}) on commit delete rows;
        create temp table click_step_rows (level integer, key_id integer, at timestamptz, action integer) on commit delete rows;
        create temp table click_step_sums (level integer, key_id integer, start timestamptz, ${text(definitions)}) on commit delete rows;
        create temp table click_step_bins (level integer, key_id integer, start timestamptz, is_new boolean) on commit delete rows;
      end if;
      delete from pg_temp.click_step;
      delete from pg_temp.click_step_groups;
      delete from pg_temp.click_step_keys;
      delete from pg_temp.click_step_ids;
      delete from pg_temp.click_step_rows;
      delete from pg_temp.click_step_sums;
      delete from pg_temp.click_step_bins;
    end $$`
  // Of a pair the index of the rarer value is read: the planner does not know which that is.
  yield* sql`
    create function click_key_condition(key_id integer) returns text language sql stable as $$
      select coalesce(string_agg(part.condition, ' and '), 'true') from (
        select case row_number() over (order by part.n)
          when 1 then click_condition(array[part.field], array[part.value]) else format('%I = %L', part.field, part.value) end as condition
        from click_keys as k join click_keys as part on part.id in (k.id, k.first, k.second)
        where k.id = key_id and part.field <> '') as part
    $$`
  // Dividing counts the clicks that were there before the step; the step is added after.
  yield* sql`
    create function split_click_key(key_id integer, is_rolled text) returns void language plpgsql as $$
    begin
      execute format('insert into click_counts (key_id, level, start, ${text(list)})
        select $1, 1, click_bin(1, occurred_at), ${text(inQuotes(ofClicks))} from clicks where %s and %s
        group by 3 order by 3', click_key_condition(key_id), is_rolled) using key_id;
    end $$`
  yield* sql`
    create function split_click_count(key_id integer, cell_level integer, cell timestamptz, is_rolled text) returns void
    language plpgsql as $$
    begin
      execute format('insert into click_counts (key_id, level, start, ${text(list)})
        select $1, $2, click_bin($2, occurred_at), ${text(inQuotes(ofClicks))} from clicks
        where %s and occurred_at >= %L and occurred_at < %L and %s group by 3 order by 3',
        click_key_condition(key_id), cell, cell + click_width(cell_level), is_rolled) using key_id, cell_level + 1;
    end $$`
  // The last of two values to become frequent makes their pair, and divides it if it has many clicks already: to count them
  // again later, all clicks of one of the values would have to be read again.
  yield* sql`
    create function pair_click_key(key_id integer, is_new boolean, is_rolled text) returns void language plpgsql as $$
    begin
      if not is_new then
        execute format('
          with bins as materialized (
            select k.id, click_bin(1, occurred_at) as start, ${text(inQuotes(ofClicks))}
            from (select * from clicks where %s and %s offset 0) as clicks
            cross join lateral (values ${text(fields.map((field) => `(''${field}'', ${field})`).join(", "))}) as part (field, value)
            join click_keys as k on k.paired and k.field = part.field and k.value = part.value
            where k.field <> (select field from click_keys where id = $1)
            group by k.id, 2),
          pairs as (
            insert into click_keys (first, second, ${text(list)}, split)
            select least($1, id), greatest($1, id), ${text(sums)}, sum(n) > click_limit(0) / 4 from bins group by id order by id
            returning *)
          insert into click_counts (key_id, level, start, ${text(list)})
          select pairs.id, 1, start, ${text(of("bins"))} from pairs
          join bins on first = least($1, bins.id) and second = greatest($1, bins.id) and split
          order by 1, 3', click_key_condition(key_id), is_rolled) using key_id;
      end if;
      update click_keys set paired = true where id = key_id;
      update pg_temp.click_step_keys set paired = true where id = key_id;
    end $$`
  // Adds to the keys, and divides those that have become large.
  yield* sql`
    create function settle_click_keys(is_pair boolean, sign integer, is_rolled text) returns void language plpgsql as $$
    declare
      key record;
      large bigint := case when is_pair then click_pairing_limit(0) else click_limit(0) end;
    begin
      update click_keys as k set ${text(added("k", "step", "sign * "))}
      from pg_temp.click_step_keys as step where k.id = step.id and not step.is_new and (step.first is not null) = is_pair;
      insert into click_keys (id, field, value, first, second, ${text(list)}, split) overriding system value
      select id, field, value, first, second, ${text(list)}, split from pg_temp.click_step_keys
      where is_new and (first is not null) = is_pair;
      if sign < 0 then return; end if;
      for key in
        select id from pg_temp.click_step_keys
        where not is_new and not split and before + n > large and (first is not null) = is_pair order by id
      loop
        update click_keys set split = true where id = key.id;
        update pg_temp.click_step_keys set split = true where id = key.id;
        perform split_click_key(key.id, is_rolled);
      end loop;
    end $$`
  yield* sql`
    create function tally_click_values(sign integer, is_rolled text) returns void language plpgsql as $$
    declare
      key record;
      pairing_limit bigint;
    begin
      insert into pg_temp.click_step_groups (field, value, start, ${text(list)})
      select case grouping(${text(values)})
          ${text(fields.map((field, index) => `when ${31 - 2 ** (4 - index)} then '${field}'`).join(" "))} else '' end,
        coalesce(${text(values)}, ''), start, ${text(ofNumbers)}
      from (select *, click_bin(1, at) as start from pg_temp.click_step) as step
      group by grouping sets ((start), ${text(fields.map((field) => `(start, ${field})`).join(", "))})
      having grouping(${text(values)}) = 31 or num_nonnulls(${text(values)}) = 1;
      insert into pg_temp.click_step_keys (id, field, value, ${text(list)}, split, paired, is_new, before)
      select coalesce(k.id, nextval('click_keys_id_seq')), step.field, step.value, ${text(of("step"))},
        coalesce(k.split, step.n > click_limit(0)), coalesce(k.paired, false), k.id is null, coalesce(k.n, 0)
      from (select field, value, ${text(sums)} from pg_temp.click_step_groups group by 1, 2) as step
      left join click_keys as k on hashtextextended(k.value, 0) = hashtextextended(step.value, 0) and k.field = step.field
        and k.value = step.value;
      perform settle_click_keys(false, sign, is_rolled);
      if sign < 0 then return; end if;
      pairing_limit := click_pairing_limit((select before + n from pg_temp.click_step_keys where field = ''));
      for key in
        select id, is_new from pg_temp.click_step_keys where not paired and field <> '' and before + n > pairing_limit order by id
      loop
        perform pair_click_key(key.id, key.is_new, is_rolled);
      end loop;
    end $$`
  yield* sql`
    create function tally_click_pairs(sign integer, is_rolled text) returns void language plpgsql as $$
    begin
      analyze pg_temp.click_step_keys;
      insert into pg_temp.click_step_ids
      select at, action, ${text(fields.map((field) => `${field}.id`).join(", "))},
        ${text(fields.map((field) => `case when ${field}.paired then ${field}.id end`).join(", "))}
      from pg_temp.click_step as step
      ${text(
        fields
          .map(
            (field) =>
              `left join pg_temp.click_step_keys as ${field} on ${field}.split and ${field}.field = '${field}' and ${field}.value = step.${field}`
          )
          .join("\n      ")
      )};
      analyze pg_temp.click_step_ids;
      insert into pg_temp.click_step_groups (first, second, start, ${text(list)})
      select least(${text(paired.join(", "))}), greatest(${text(paired.join(", "))}), start, ${text(ofNumbers)}
      from (
        select *, click_bin(1, at) as start from pg_temp.click_step_ids where num_nonnulls(${text(paired.join(", "))}) > 1) as step
      group by grouping sets (${text(pairs.map((pair) => `(start, ${pair})`).join(", "))})
      having num_nonnulls(${text(paired.join(", "))}) = 2;
      insert into pg_temp.click_step_keys (id, first, second, ${text(list)}, split, paired, is_new, before)
      select coalesce(k.id, nextval('click_keys_id_seq')), step.first, step.second, ${text(of("step"))},
        coalesce(k.split, step.n > click_limit(0)), false, k.id is null, coalesce(k.n, 0)
      from (select first, second, ${text(sums)} from pg_temp.click_step_groups where first is not null group by 1, 2) as step
      left join click_keys as k on k.first = step.first and k.second = step.second;
      perform settle_click_keys(true, sign, is_rolled);
    end $$`
  // Adds the sums to the bins of one width, and divides those that have become large.
  yield* sql`
    create function settle_click_bins(depth integer, sign integer, is_rolled text) returns void language plpgsql as $$
    declare
      bin record;
    begin
      with counted as (
        insert into click_counts as c (key_id, level, start, ${text(list)}, split)
        select key_id, depth, start, ${text(signed("step"))}, n > click_limit(depth) from pg_temp.click_step_sums as step
        where level = depth order by 1, 3
        on conflict (key_id, level, start) do update set ${text(added("c", "excluded"))},
          split = c.split or sign > 0 and c.n + excluded.n > click_limit(depth)
        returning old.n as before, old.split as was_split, new.key_id, new.start, new.split)
      insert into pg_temp.click_step_bins
      select depth, key_id, start, not coalesce(was_split, false) and before > 0 from counted where split;
      analyze pg_temp.click_step_bins;
      if depth = 7 then return; end if;
      for bin in select * from pg_temp.click_step_bins where level = depth and is_new order by key_id, start loop
        perform split_click_count(bin.key_id, depth, bin.start, is_rolled);
      end loop;
    end $$`
  // From the widest bins down, as far as they are divided. Without fresh statistics of the step the planner takes every join for
  // one of a few rows: minutes instead of seconds.
  yield* sql`
    create function tally_clicks(sign integer, is_rolled text) returns void language plpgsql as $$
    begin
      perform tally_click_values(sign, is_rolled);
      perform tally_click_pairs(sign, is_rolled);
      analyze pg_temp.click_step_groups, pg_temp.click_step_keys;
      insert into pg_temp.click_step_sums
      select 1, k.id, start, ${text(of("step"))} from pg_temp.click_step_groups as step
      join pg_temp.click_step_keys as k on k.field = step.field and k.value = step.value and k.split;
      insert into pg_temp.click_step_sums
      select 1, k.id, start, ${text(of("step"))} from pg_temp.click_step_groups as step
      join pg_temp.click_step_keys as k on k.first = step.first and k.second = step.second and k.split;
      perform settle_click_bins(1, sign, is_rolled);
      perform gather_click_rows();
      for depth in 2..7 loop
        exit when not exists (select from pg_temp.click_step_rows where level = depth);
        insert into pg_temp.click_step_sums
        select depth, key_id, click_bin(depth, at), ${text(ofNumbers)} from pg_temp.click_step_rows where level = depth group by 2, 3;
        perform settle_click_bins(depth, sign, is_rolled);
        analyze pg_temp.click_step_rows;
        insert into pg_temp.click_step_rows
        select depth + 1, row.key_id, row.at, row.action
        from pg_temp.click_step_rows as row join pg_temp.click_step_bins as bin
          on row.level = depth and bin.level = depth and bin.key_id = row.key_id and bin.start = click_bin(depth, row.at);
      end loop;
    end $$`
  // "offset 0" keeps the planner from joining bins and clicks by time before it knows the keys: 15 s instead of 0.1.
  yield* sql`
    create function gather_click_rows() returns void language plpgsql as $$
    declare
      all_clicks integer := (select id from pg_temp.click_step_keys where field = '');
    begin
      insert into pg_temp.click_step_rows
      select 2, part.id, at, action
      from (
        select unnest(array[all_clicks, ${text(values)}]) as id, at, action from pg_temp.click_step_ids offset 0) as part
      join pg_temp.click_step_bins as bin on bin.key_id = part.id and bin.start = click_bin(1, at);
      if not exists (select from pg_temp.click_step_bins join pg_temp.click_step_keys on id = key_id where first is not null) then
        return;
      end if;
      insert into pg_temp.click_step_rows
      select 2, pair.id, at, action
      from (
        select least(one, another) as first, greatest(one, another) as second, at, action from pg_temp.click_step_ids
        cross join lateral (values ${text(pairs.map((pair) => `(${pair})`).join(", "))}) as part (one, another)
        where one is not null and another is not null offset 0) as part
      join (
        select k.id, k.first, k.second, bin.start from pg_temp.click_step_bins as bin
        join pg_temp.click_step_keys as k on k.id = bin.key_id and k.first is not null offset 0) as pair
      on pair.first = part.first and pair.second = part.second and pair.start = click_bin(1, at);
    end $$`
})
