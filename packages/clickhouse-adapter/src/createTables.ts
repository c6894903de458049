import { columnDefinitions } from "./clicks/clickColumns.ts"
import { hour, minutes, origin } from "./clicks/instants.ts"
import { projections } from "./clicks/projections.ts"
import type { Place } from "./Place.ts"
import { literal, name } from "./sqlText.ts"

/**
 * The visitor of a click (`visitorOf` in core) as a number, 0 if there is none. Two of a hundred million visitors share a number
 * with a probability of 3 in 10,000.
 */
export const visitorNumber = `multiIf(
  visitor_id is not null, greatest(1, cityHash64(3, assumeNotNull(visitor_id))),
  user_id is not null, greatest(1, cityHash64(1, assumeNotNull(user_id))),
  ip_address is null and user_agent is null, 0,
  greatest(1, cityHash64(2, ip_address is null, ifNull(ip_address, ''), user_agent is null, ifNull(user_agent, ''))))`

/** The columns that `visitorNumber` reads. */
export const visitorColumns = ["visitor_id", "user_id", "ip_address", "user_agent"] as const

const derived = [
  "attempt UInt32 codec(Delta, ZSTD)",
  `minutes UInt32 materialized intDiv(occurred_at + ${origin}, ${minutes}) codec(Delta, ZSTD)`,
  `hour UInt32 materialized intDiv(minutes, ${hour / minutes}) codec(Delta, ZSTD)`,
  "day UInt32 materialized intDiv(hour, 24) codec(Delta, ZSTD)",
  `visitor UInt64 materialized ${visitorNumber} codec(ZSTD)`
]

const indexes = [
  // An entry covers 65,000 rows, because every statement reads all entries.
  "index attempts attempt type minmax granularity 64",
  // UUIDs of version 7 that arrive together are close to each other; others can be anywhere.
  "index id_ranges id type minmax granularity 8",
  "index ids id type bloom_filter(0.01) granularity 8"
]

// The clicks of a page of a rare value are in a hundred positions. For each, ClickHouse reads one granule and decompresses at least one block
// of each column. With the defaults (8,192 rows, 64 kB, separate blocks for the lengths of texts), such a page takes three times the processor time.
const narrow = [
  "index_granularity = 1024",
  "min_compress_block_size = 8192",
  "string_serialization_version = 'single_stream'"
]

// Stores a small part as one file instead of one per column of the table and of each projection, because every file is synced.
const compact = "min_bytes_for_wide_part = 67108864"

// Syncs a part before its insert returns, and a merged part before the parts that it replaces are removed.
const durable = [
  "fsync_after_insert = 1",
  "fsync_part_directory = 1",
  "min_rows_to_fsync_after_merge = 1",
  "min_compressed_bytes_to_fsync_after_merge = 1"
]

// Years from 1970 to 2106; earlier and later clicks are in the first or last. Partitions limit how much a deletion rewrites. They are few, because
// every part adds half a millisecond to every statement.
const year = "toYear(toDateTime(least(greatest(intDiv(occurred_at, 1000), 0), 4294967295), 'UTC'))"

/**
 * The statements that create the database and the table if they are missing. A new table has the comment of its owner. Its order is the
 * reverse of listing order: ClickHouse can read it from either end, and descending keys are experimental.
 */
export const createTables = (
  { cluster, database, unsynced }: Place,
  comment?: string
): ReadonlyArray<string> => {
  const onCluster = cluster === undefined ? "" : ` on cluster ${name(cluster)}`
  const engine =
    cluster === undefined
      ? "MergeTree"
      : "ReplicatedMergeTree('/clickhouse/tables/{database}/clicks', '{replica}')"
  const parts = [...columnDefinitions, ...derived, ...indexes, ...projections]
  return [
    `create database if not exists ${name(database)}${onCluster}`,
    `create table if not exists ${name(database)}.clicks${onCluster} (\n  ${parts.join(",\n  ")}\n)
engine = ${engine}
order by (occurred_at, id)
partition by ${year}
settings ${[...narrow, compact, ...(unsynced ? [] : durable)].join(", ")}${comment === undefined ? "" : `\ncomment ${literal(comment)}`}`
  ]
}
