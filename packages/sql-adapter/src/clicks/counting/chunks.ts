import {
  chunkColumns,
  chunkFields,
  inSession,
  marks,
  middleOf,
  millisOf,
  mostClicks,
  packed,
  typeOf,
  unpacked
} from "./chunkColumns.ts"
import { yields } from "./yielding.ts"

const columns = chunkColumns.join(", ")

const valueColumns = chunkColumns.map((column) => `${column} ${typeOf(column)}`).join(", ")

// The clicks of a step with ids in place of texts. Working tables have no statistics, so the planner may assume anything; a hash join is
// always suitable.
const encoded = `
  select click_bin(1, c.at) as bin, c.at as moment, (${millisOf("c.at")} - ${middleOf("click_bin(1, c.at)")})::integer as at,
    c.action + ${marks("c.visitor", "c.session")} as action, coalesce(v.id, 0) as visitor, coalesce(c.session, 0) as session,
    ${chunkFields.map((field) => `coalesce(of_${field}.id, 0) as ${field}`).join(", ")}
  from pg_temp.tally_clicks as c left join pg_temp.tally_visitors as v on v.number = c.visitor
  ${chunkFields.map((field) => `left join pg_temp.tally_texts as of_${field} on of_${field}.value = c.${field}`).join(" ")}
  where ${yields}`

const packedColumns = chunkColumns.map((column) => `${packed(column, column)} as ${column}`).join(", ")
const joinedColumns = chunkColumns.map(
  (column) => `string_agg(${column}, ''::bytea order by id) as ${column}`
)

/**
 * Chunks: the counted clicks by column, for analytics. A chunk has up to 65,536 clicks of one bin of the widest level, in any order.
 */
export const chunks = [
  // Ids are kept when their clicks are deleted, until `purgeIds` runs.
  `create table click_texts (id integer generated always as identity primary key, value text not null)`,
  `create index click_texts_by_value on click_texts (hashtextextended(value, 0))`,
  `create table click_visitors (id integer generated always as identity, number bigint primary key)`,
  `create table click_chunks (
      id bigint generated always as identity primary key,
      bin timestamptz(3) not null,
      n integer not null,
      low timestamptz(3) not null,
      high timestamptz(3) not null,
      ${chunkColumns.map((column) => `${column} bytea not null`).join(",\n      ")}
    )`,
  `create index click_chunks_by_bin on click_chunks (bin)`,
  // Not compressed: compression takes longer than writing.
  `alter table click_chunks ${chunkColumns.map((column) => `alter ${column} set storage external`).join(", ")}`,
  // Assigns ids to the values in tally_values and to the visitors of the clicks in tally_clicks.
  `create or replace function identify_click_texts() returns void language plpgsql as $$
    begin
      if to_regclass('pg_temp.tally_texts') is null then
        create temp table tally_texts (id integer, value text) on commit delete rows;
        create temp table tally_visitors (id integer, number bigint) on commit delete rows;
      end if;
      delete from pg_temp.tally_texts;
      delete from pg_temp.tally_visitors;
      with step as materialized (
        select step.value, known.id
        from (select distinct value from pg_temp.tally_values where field <> '') as step
        left join lateral (
          select id from click_texts as known
          where hashtextextended(known.value, 0) = hashtextextended(step.value, 0) and known.value = step.value offset 0) as known on true
        where ${yields}),
      added as (insert into click_texts (value) select value from step where id is null returning id, value)
      insert into pg_temp.tally_texts
      select id, value from step where id is not null union all select id, value from added;
      perform click_yield();
      with step as materialized (
        select step.number, known.id
        from (select distinct visitor as number from pg_temp.tally_clicks where visitor is not null and ${yields}) as step
        left join lateral (select id from click_visitors as known where known.number = step.number offset 0) as known on true
        where ${yields}),
      added as (insert into click_visitors (number) select number from step where id is null returning id, number)
      insert into pg_temp.tally_visitors
      select id, number from step where id is not null union all select id, number from added;
    end $$`,
  // Adds the clicks in tally_clicks. Chunks of the same bin that are not larger than the new one are merged into it, so that a bin has few
  // chunks. A click is rewritten about log2(65,536 / step) times.
  `create or replace function add_click_chunks() returns void language plpgsql set enable_nestloop = off set enable_mergejoin = off set join_collapse_limit = 1 as $$
    declare
      piece record;
      known record;
      total integer;
      merged bigint[];
    begin
      perform identify_click_texts();
      if to_regclass('pg_temp.tally_chunks') is null then
        create temp table tally_chunks (like click_chunks including storage) on commit delete rows;
      end if;
      delete from pg_temp.tally_chunks;
      insert into pg_temp.tally_chunks (id, bin, n, low, high, ${columns})
      select 0, bin, count(*), min(moment), max(moment), ${packedColumns} from (${encoded}) as clicks group by bin;
      for piece in select bin, n from pg_temp.tally_chunks order by bin loop
        perform click_yield();
        total := piece.n;
        merged := '{}';
        for known in select id, n from click_chunks where bin = piece.bin order by n, id loop
          exit when known.n > total or total + known.n > ${mostClicks};
          total := total + known.n;
          merged := merged || known.id;
        end loop;
        insert into click_chunks (bin, n, low, high, ${columns})
        select piece.bin, sum(n), min(low), max(high), ${joinedColumns.join(", ")}
        from (
          select * from pg_temp.tally_chunks where bin = piece.bin
          union all select * from click_chunks where id = any (merged)) as parts;
        delete from click_chunks where id = any (merged);
      end loop;
    end $$`,
  // Removes the clicks in tally_clicks, which were deleted: rewrites the chunks that overlap their times without them. Of equal clicks, it
  // removes as many as were deleted; which ones makes no difference. "|| ''" reads a column into memory once instead of once per click.
  `create or replace function remove_click_chunks() returns void language plpgsql set enable_nestloop = off set enable_mergejoin = off set join_collapse_limit = 1 as $$
    declare
      affected bigint;
    begin
      perform identify_click_texts();
      if to_regclass('pg_temp.tally_gone') is null then
        create temp table tally_gone (bin timestamptz, moment timestamptz, ${valueColumns}) on commit delete rows;
      end if;
      delete from pg_temp.tally_gone;
      insert into pg_temp.tally_gone ${encoded};
      for affected in
        select id from click_chunks as c join (select bin, min(moment) as low, max(moment) as high from pg_temp.tally_gone group by bin) as g
          on c.bin = g.bin and c.low <= g.high and c.high >= g.low
        order by id
      loop
        perform click_yield();
        perform remove_clicks_of_chunk(affected);
      end loop;
    end $$`,
  `create or replace function remove_clicks_of_chunk(chunk bigint) returns void language plpgsql
    set enable_nestloop = off set enable_mergejoin = off set join_collapse_limit = 1 as $$
    declare
      c click_chunks;
      rest integer;
    begin
      select id, bin, n, low, high, ${chunkColumns.map((column) => `${column} || ''::bytea`).join(", ")} into c from click_chunks where id = chunk;
      if to_regclass('pg_temp.tally_left') is null then
        create temp table tally_left (${valueColumns}) on commit delete rows;
      end if;
      delete from pg_temp.tally_left;
      with clicks as materialized (
        select ${chunkColumns.map((column) => `${unpacked("c", column, "i", "session")} as ${column}`).join(", ")} from (
          select i, sum((get_byte(c.action, i) >= ${inSession})::integer) over (order by i)::integer - 1 as session
          from generate_series(0, c.n - 1) as i) as positions),
      copies as (select *, row_number() over (partition by ${columns}) as copy from clicks),
      gone as (select ctid as place, *, row_number() over (partition by ${columns}) as copy from pg_temp.tally_gone where bin = c.bin),
      found as (
        delete from pg_temp.tally_gone as g using gone join copies using (${columns}, copy) where g.ctid = gone.place
        returning ${[...chunkColumns, "copy"].map((column) => `gone.${column}`).join(", ")})
      insert into pg_temp.tally_left
      select ${chunkColumns.map((column) => `copies.${column}`).join(", ")} from copies left join found using (${columns}, copy)
      where found.copy is null;
      get diagnostics rest = row_count;
      delete from click_chunks where id = chunk;
      if rest > 0 then
        insert into click_chunks (bin, n, low, high, ${columns})
        select c.bin, rest, c.low, c.high, ${packedColumns} from pg_temp.tally_left;
      end if;
    end $$`
]
