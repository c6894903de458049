import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { Effect } from "effect"
import type { Slice } from "../Chunk.ts"
import type { ClickChunks } from "../ClickChunks.ts"
import type { Slots } from "../Slots.ts"
import { isCut, makeSelectRows } from "../selectRows.ts"

interface Options {
  /** Other columns to read. */
  readonly columns?: ReadonlyArray<string>
  /** The part of each slice to visit. */
  readonly partOf?: (slice: Slice) => Slice
}

/** Calls `visit` with the matching clicks of slices: their number, their rows in the chunk, and the numbers of their slots. */
export const forEachMatch = Effect.fnUntraced(function* (
  chunks: ClickChunks,
  filter: ClickFilter,
  slots: Slots,
  visit: (slice: Slice, rows: Int32Array, numbers: Int32Array, count: number) => void,
  { columns = [], partOf = (slice) => slice }: Options = {}
) {
  const { from: _, to: __, ...equal } = filter
  const selectRows = makeSelectRows({ filter }, yield* chunks.idsOf(Object.values(equal)))
  let [rows, numbers] = [new Int32Array(0), new Int32Array(0)]
  const needed = ["visitor", ...columns, ...Object.keys(equal)]
  yield* chunks.scan(
    (chunk) => [...needed, slots.columnFor(chunk), ...(isCut({ filter }, chunk) ? ["at"] : [])],
    (slice) => {
      const part = partOf(slice)
      const most = part.end - part.first
      if (most <= 0) return
      if (rows.length < most) {
        rows = new Int32Array(most)
        numbers = new Int32Array(most)
      }
      const count = selectRows(part, "current", rows)
      slots.write(part.chunk, "current", rows, numbers, count)
      if (count > 0) visit(part, rows, numbers, count)
    }
  )
})
