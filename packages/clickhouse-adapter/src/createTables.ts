import { columnDefinitions } from "./clicks/clickColumns.ts"
import { origin } from "./clicks/instants.ts"
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
  `hour UInt32 materialized intDiv(occurred_at + ${origin}, 3600000) codec(Delta, ZSTD)`,
  "day UInt32 materialized intDiv(hour, 24) codec(Delta, ZSTD)",
  `visitor UInt64 materialized ${visitorNumber} codec(ZSTD)`
]

const indexes = [
  // Of 65,000 rows: every statement looks at all of them.
  "index attempts attempt type minmax granularity 8",
  // Ids of version 7 lie close together, others anywhere.
  "index id_ranges id type minmax granularity 1",
  "index ids id type bloom_filter(0.01) granularity 1"
]

// The values of a small part are one file, not one for each column of the table and of each projection: each of them is synced.
const compact = "min_bytes_for_wide_part = 67108864"

// A part is on the disk before its insert returns, and before the parts that it was merged from are removed.
const durable = [
  "fsync_after_insert = 1",
  "fsync_part_directory = 1",
  "min_rows_to_fsync_after_merge = 1",
  "min_compressed_bytes_to_fsync_after_merge = 1"
]

// From 1970 to 2106; a click with a stranger time is in the first or the last. Every statement pays half a millisecond for each part, so partitions
// are few; they bound what a deletion rewrites.
const year = "toYear(toDateTime(least(greatest(intDiv(occurred_at, 1000), 0), 4294967295), 'UTC'))"

/**
 * The statements that create what is missing. A new table has the comment of its owner. Its order is the reverse of the
 * listing's: ClickHouse reads it from either end, and descending keys are experimental.
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
settings ${[compact, ...(unsynced ? [] : durable)].join(", ")}${comment === undefined ? "" : `\ncomment ${literal(comment)}`}`
  ]
}
