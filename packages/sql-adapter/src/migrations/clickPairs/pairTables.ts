import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { definitions } from "./counts.ts"

/** What the counts are kept in. */
export const pairTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const counts = sql.literal(definitions)
  // The planner does not use what it knows of the expressions of partial indexes, and takes every store, brand and campaign for a
  // 200th of the clicks. Of two values it has to know the rarer one.
  yield* sql`create statistics clicks_of_store on hashtextextended(store_id, 0) from clicks`
  yield* sql`create statistics clicks_of_brand on hashtextextended(brand_id, 0) from clicks`
  yield* sql`create statistics clicks_of_campaign on hashtextextended(campaign_id, 0) from clicks`
  yield* sql`analyze clicks`
  // Nobody counts meanwhile. The tables are locked in the order in which totals read them, so that none waits for the other.
  yield* sql`select pg_advisory_xact_lock(254258)::text`
  yield* sql`lock table click_rollup, click_keys, click_counts in access exclusive mode`
  yield* sql`drop function click_gathering, tally_clicks, split_click_key, split_click_count, click_key, click_rank`
  yield* sql`drop table click_keys, click_counts`
  // What is counted: rows of transactions before `arrival`, and of those from there to before `beyond` the rows from `since` on.
  yield* sql`alter table click_rollup add column beyond xid8 not null default '3'`
  yield* sql`alter table click_rollup alter column beyond drop default`
  yield* sql`update click_rollup set arrival = '3', since = 'infinity'`
  // All clicks (field ''), those with a value in a field, and those with two values: a pair names their keys, the lesser id
  // first. Values are compared as they are, the hash only finds them. A key of up to 2,000 clicks has these numbers and no more;
  // one of more is divided. A value of more than 10,000 is paired, too; and a pair is divided from there on only.
  yield* sql`
    create table click_keys (
      id integer generated always as identity primary key,
      field text,
      value text,
      first integer,
      second integer,
      ${counts},
      split boolean not null,
      paired boolean not null default false,
      check (num_nulls(field, value) = 0 and num_nulls(first, second) = 2 or num_nulls(field, value) = 2 and first < second)
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`
  yield* sql`create index click_keys_by_value on click_keys (hashtextextended(value, 0), field) where value is not null`
  yield* sql`create unique index click_keys_by_pair on click_keys (first, second) where first is not null`
  yield* sql`create index click_keys_paired on click_keys (id) where paired`
  yield* sql`
    create table click_counts (
      key_id integer not null,
      level smallint not null,
      start timestamptz(3) not null,
      ${counts},
      split boolean not null default false,
      primary key (key_id, level, start)
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`
  // A bin of 4,000 instead of 2,000 leaves 2,000 rows at most to look at as well, those of its smaller side, and there are half as many.
  yield* sql`
    create or replace function click_limit(level integer) returns integer language sql immutable as $$
      select (array[2000, 4000, 4000, 4000, 4000, 20000, 20000, 2147483647])[level + 1]
    $$`
  // To look at 10,000 rows takes some 15 ms. At most 500 values of a field, and a few more as the table grows, have more than
  // that and more than a 500th of all clicks, so there are at most some 2.5 million pairs, and no more than clicks allow.
  yield* sql`
    create function click_pairing_limit(clicks bigint) returns bigint language sql immutable as $$
      select greatest(10000, clicks / 500)
    $$`
  // The first time there is nothing before `arrival`, and a range of time that an index finds.
  yield* sql`
    create or replace function click_is_rolled(state click_rollup) returns text language sql immutable as $$
      select case
        when state.since = 'infinity' then format('arrival < %L::xid8', state.arrival)
        when state.arrival = '3' then format('arrival < %L::xid8 and occurred_at >= %L::timestamptz', state.beyond, state.since)
        else format('arrival < %L::xid8 and (arrival < %L::xid8 or occurred_at >= %L::timestamptz)', state.beyond, state.arrival, state.since)
      end
    $$`
  yield* sql`
    create or replace function click_is_tail(state click_rollup) returns text language sql immutable as $$
      select case
        when state.since = 'infinity' then format('arrival >= %L::xid8', state.arrival)
        else format('arrival >= %L::xid8 and (arrival >= %L::xid8 or occurred_at < %L::timestamptz)', state.arrival, state.beyond, state.since)
      end
    $$`
})
