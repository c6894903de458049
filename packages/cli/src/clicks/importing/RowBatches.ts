import type { InputFile } from "./InputFile.ts"
import type { InputRow, RowReader } from "./InputRow.ts"

// Beyond 2,000 rows a statement gets no faster. Rows of a megabyte each must not come together in their thousands.
const maxRows = 1000
const maxBytes = 8 * 1024 * 1024

/**
 * The rows of an input in batches, each stored in one go. Ends early where the input is damaged; a row that the damage
 * cuts off is left out, for it would be stored with half a value.
 */
export async function* rowBatches(
  input: InputFile,
  reader: RowReader,
  onDamage: (message: string) => void
): AsyncGenerator<ReadonlyArray<InputRow>> {
  let batch: Array<InputRow> = []
  let bytes = 0
  const add = function* (rows: ReadonlyArray<InputRow>) {
    for (const row of rows) {
      batch.push(row)
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
