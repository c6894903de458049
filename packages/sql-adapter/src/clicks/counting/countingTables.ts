import { definitions } from "./countColumns.ts"

/** The tables of the counts. The table of clicks may have rows already; none are counted yet. */
export const countingTables = [
  // One row that records what the counts cover: all clicks of transactions before "arrival" and, of the transactions from "arrival" to
  // before "beyond", the clicks from "since" on. Transaction numbers are meaningless in another cluster, so the row names its cluster.
  `create table click_rollup (
      single boolean primary key default true check (single),
      system text not null,
      arrival xid8 not null,
      since timestamptz(3) not null,
      beyond xid8 not null
    )`,
  `insert into click_rollup (system, arrival, since, beyond)
    select system_identifier::text, '3', 'infinity', '3' from pg_control_system()`,
  // A key for each counted set of clicks: all clicks (field and value ''), those with one value, or those with a pair of values (`first`
  // and `second` are the keys of both, the smaller id first). An index of hashes finds a value, and the text confirms it. A split key also
  // has bins of time; a paired value also has keys for its pairs.
  `create table click_keys (
      id integer generated always as identity primary key,
      field text,
      value text,
      first integer,
      second integer,
      ${definitions},
      split boolean not null,
      paired boolean not null default false,
      check (num_nulls(field, value) = 0 and num_nulls(first, second) = 2 or num_nulls(field, value) = 2 and first < second)
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`,
  `create index click_keys_by_value on click_keys (hashtextextended(value, 0), field) where value is not null`,
  `create unique index click_keys_by_pair on click_keys (first, second) where first is not null`,
  `create index click_keys_paired on click_keys (id) where paired`,
  // The bins of split keys. Level 1 is the widest. Counts are updated in place (HOT), which needs free space on each page.
  `create table click_counts (
      key_id integer not null,
      level smallint not null,
      start timestamptz(3) not null,
      ${definitions},
      split boolean not null default false,
      primary key (key_id, level, start)
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`,
  // The planner ignores statistics on expressions of partial indexes and assumes that a store, brand, campaign, visitor or visit has 1/200
  // of all clicks. With two filters it must know the rarer one.
  `create statistics clicks_of_store on hashtextextended(store_id, 0) from clicks`,
  `create statistics clicks_of_brand on hashtextextended(brand_id, 0) from clicks`,
  `create statistics clicks_of_campaign on hashtextextended(campaign_id, 0) from clicks`,
  `create statistics clicks_of_visitor on hashtextextended(visitor_id, 0) from clicks`,
  `create statistics clicks_of_session on hashtextextended(session_id, 0) from clicks`
]
