import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Counts of clicks, from which totals are made. They are empty at first and follow step by step (`ClickRollup`). */
export const clickCounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // One row: what the counts cover. Rows of transactions before `arrival`, and of `arrival` itself those from `since` on (a
  // transaction with more rows than a step is counted from its newest click down). Numbers of transactions mean something in
  // the cluster that gave them only, so the row names it: after a dump is restored elsewhere, nothing is believed.
  yield* sql`
    create table click_rollup (
      single boolean primary key default true check (single),
      system text not null,
      arrival xid8 not null,
      since timestamptz(3) not null
    )`
  yield* sql`
    insert into click_rollup (system, arrival, since)
    select system_identifier::text, '3', 'infinity' from pg_control_system()`
  // What is counted: all clicks (field ''), those with a value in a field, and each with an action. Values are compared as they
  // are, the hash only finds them. Values of fewer than 2,000 clicks have this number and no more.
  yield* sql`
    create table click_keys (
      id integer generated always as identity primary key,
      field text not null,
      value text not null,
      action text,
      n bigint not null,
      split boolean not null default false
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`
  yield* sql`
    create index click_keys_by_value on click_keys (hashtextextended(value, 0), field)`
  // Numbers of clicks in bins of time, seven widths from 43 days to a millisecond. A bin is divided into the next width when it
  // has many clicks, so that a bound that falls into one leaves at most some thousand rows to look at, however the clicks lie
  // in time. Numbers change in place (HOT), hence the room on the pages.
  yield* sql`
    create table click_counts (
      key_id integer not null,
      level smallint not null,
      start timestamptz(3) not null,
      n bigint not null,
      split boolean not null default false,
      primary key (key_id, level, start)
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`
  yield* sql`
    create index click_counts_by_instant on click_counts (key_id) where level = 6 and split`
  yield* sql`
    create function click_width(level integer) returns interval language sql immutable as $$
      select (array[interval '1024 hours', '32 hours', '1 hour', '2 minutes', '4 seconds', '125 milliseconds', '1 millisecond'])[level]
    $$`
  // Bins begin at the earliest timestamptz, a midnight in UTC, so that none reaches before what can be stored.
  yield* sql`
    create function click_bin(level integer, at timestamptz) returns timestamptz language sql immutable as $$
      select date_bin((array[interval '1024 hours', '32 hours', '1 hour', '2 minutes', '4 seconds', '125 milliseconds', '1 millisecond'])[level], at, timestamptz '4714-11-24 00:00:00+00 BC')
    $$`
  // A key (level 0) or bin of more clicks is divided. 2,000 rows take about a millisecond to count; the narrow bins are
  // divided later, because a burst would divide hundreds of them each second.
  yield* sql`
    create function click_limit(level integer) returns integer language sql immutable as $$
      select (array[2000, 2000, 2000, 2000, 4000, 20000, 20000, 2147483647])[level + 1]
    $$`
  yield* sql`
    create function click_condition(fields text[], vals text[]) returns text language sql immutable as $$
      select coalesce(string_agg(
        case when field = 'action' then format('action = %L', value)
        else format('hashtextextended(%1$I, 0) = hashtextextended(%2$L, 0) and case when %1$I = %2$L then true else false end', field, value)
        end, ' and '), 'true')
      from unnest(fields, vals) as sought (field, value)
      where field <> '' and value is not null
    $$`
  yield* sql`
    create function click_is_rolled(state click_rollup) returns text language sql immutable as $$
      select case when state.since = 'infinity' then format('arrival < %L::xid8', state.arrival)
        else format('(arrival < %1$L::xid8 or arrival = %1$L::xid8 and occurred_at >= %2$L::timestamptz)', state.arrival, state.since) end
    $$`
  yield* sql`
    create function click_is_tail(state click_rollup) returns text language sql immutable as $$
      select case when state.since = 'infinity' then format('arrival >= %L::xid8', state.arrival)
        else format('(arrival > %1$L::xid8 or arrival = %1$L::xid8 and occurred_at < %2$L::timestamptz)', state.arrival, state.since) end
    $$`
})
