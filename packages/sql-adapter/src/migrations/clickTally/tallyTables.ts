import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { definitions } from "../clickPairs/counts.ts"
import { fields, paired } from "./tallyFields.ts"

const integers = (columns: ReadonlyArray<string>): string =>
  columns.map((column) => `${column} integer`).join(", ")

/** What a step is worked on in. */
export const tallyTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const text = sql.literal
  // A new key of more clicks, or a new bin whose parts have more on average, is divided at once, as it will soon be too large and
  // its clicks are at hand now. Each of the rows that this writes stands for so many clicks.
  yield* sql`
    create function click_part_limit(level integer) returns integer language sql immutable as $$
      select case level when 0 then 250 else click_limit(level) / 64 end
    $$`
  // The step's clicks; where its oldest wide bin begins; its keys; its clicks with their unit of time, the keys that are divided and, apart, those that are paired; its
  // numbers by key or pair and unit; by key and bin, with the number of parts that have clicks, and how many of the clicks are from before
  // the step; bins that are divided; clicks, once for each of their keys whose unit is divided. The names are new: a session may have the tables of the version before.
  yield* sql`
    create or replace function prepare_click_rolling() returns void language plpgsql as $$
    begin
      if to_regclass('pg_temp.tally_clicks') is null then
        create temp table tally_clicks (at timestamptz, action integer, ${text(fields.map((field) => `${field} text`).join(", "))})
          on commit delete rows;
        create temp table tally_oldest (start timestamptz) on commit delete rows;
        create temp table tally_keys (like click_keys, is_new boolean not null, before bigint not null) on commit delete rows;
        create temp table tally_ids (at timestamptz, unit timestamptz, action integer, ${text(integers(fields))}, ${text(integers(paired))})
          on commit delete rows;
        create temp table tally_groups (first integer, second integer, start timestamptz, ${text(definitions)}) on commit delete rows;
        create temp table tally_bins (level integer, key_id integer, start timestamptz, ${text(definitions)}, parts bigint, earlier bigint)
          on commit delete rows;
        create temp table tally_divided (level integer, key_id integer, start timestamptz, is_new boolean) on commit delete rows;
        create temp table tally_rows (level integer, key_id integer, at timestamptz, action integer) on commit delete rows;
      end if;
      delete from pg_temp.tally_clicks;
      delete from pg_temp.tally_oldest;
      delete from pg_temp.tally_keys;
      delete from pg_temp.tally_ids;
      delete from pg_temp.tally_groups;
      delete from pg_temp.tally_bins;
      delete from pg_temp.tally_divided;
      delete from pg_temp.tally_rows;
    end $$`
})
