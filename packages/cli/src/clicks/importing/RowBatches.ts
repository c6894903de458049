import type { InputFile } from "./InputFile.ts"
import type { InputRow, RowReader } from "./InputRow.ts"

// Beyond 500 rows a row costs as much processor time, here and in the server; 10,000 take up to 330 MB in all instead of 230.
const maxRows = 1000
// Rows of a megabyte each must not come together in their thousands.
const maxBytes = 8 * 1024 * 1024

/**
 * The rows of an input in batches, each stored in one go; `take` makes of each row what is kept until then. Ends early where
 * the input is damaged; a row that the damage cuts off is left out, for it would be stored with half a value.
 */
export async function* rowBatches<A>(
  input: InputFile,
  reader: RowReader,
  take: (row: InputRow) => A,
  onDamage: (message: string) => void
): AsyncGenerator<ReadonlyArray<A>> {
  let batch: Array<A> = []
  let bytes = 0
  const add = function* (rows: ReadonlyArray<InputRow>) {
    for (const row of rows) {
      batch.push(take(row))
      bytes += row.original.length
      if (batch.length < maxRows && bytes < maxBytes) continue
      yield batch
      batch = []
      bytes = 0
    }
  }
  for await (const chunk of input.chunks) yield* add(reader.push(chunk))
  const damage = input.damage()
  const end = damage === undefined ? reader.end() : { rows: [], damage }
  yield* add(end.rows)
  if (batch.length > 0) yield batch
  if (end.damage !== undefined) onDamage(end.damage)
}
