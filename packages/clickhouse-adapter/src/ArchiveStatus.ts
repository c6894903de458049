import { Effect } from "effect"
import { ClickHouse, type ClickHouseError } from "./ClickHouse.ts"
import { literal } from "./sqlText.ts"

/** The state of the archive's server. Reading it changes nothing. */
export interface ArchiveStatus {
  /** Such as 26.7.2.1. */
  readonly version: string
  /** Rows of the table, including those of attempts that are not read. 0 if there is no table. */
  readonly rows: number
  /** The size of the table on disk, including projections and indexes. */
  readonly bytes: number
}

/** Fails if the server cannot be reached, and with the reason `UnsafeVersion` if it must not hold clicks. */
export const archiveStatus: Effect.Effect<ArchiveStatus, ClickHouseError, ClickHouse> = Effect.gen(
  function* () {
    const { database, lookUp, version } = yield* ClickHouse
    const text = yield* version
    const [line = "[0,0]"] = yield* lookUp(`select sum(rows), sum(bytes_on_disk) from system.parts
    where database = ${literal(database)} and table = 'clicks' and active`)
    const [rows, bytes]: readonly [number, number] = JSON.parse(line)
    return { version: text, rows, bytes }
  }
)
