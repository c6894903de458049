import type { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { TextOf } from "./Cells.ts"
import type { Slice } from "./Chunk.ts"
import type { Listed } from "./scanChunks.ts"
import type { IdOf } from "./selectRows.ts"

type Read<A> = Effect.Effect<A, SqlError.SqlError>

/** The clicks of one snapshot, by column. */
export interface ClickChunks {
  /** The largest id of a visitor. */
  readonly lastVisitor: number
  /** The instant of the first click of each visitor; Infinity if there is none. Only for subjects that contain all clicks. */
  readonly firstClicks: Read<Float64Array>
  /**
   * Calls `visit` with all clicks, in slices of chunks in any order. Each chunk has at least the columns that `columnsOf` returns for it.
   */
  readonly scan: (
    columnsOf: (chunk: Listed) => ReadonlyArray<string>,
    visit: (slice: Slice) => void
  ) => Read<void>
  readonly idsOf: (texts: ReadonlyArray<string>) => Read<IdOf>
  readonly textsOf: (ids: ReadonlyArray<number>) => Read<TextOf>
}
