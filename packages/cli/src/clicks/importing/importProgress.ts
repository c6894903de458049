import { Effect, type Scope } from "effect"
import { grouped } from "../../terminal/format.ts"
import { bar, counter, type Progress } from "../../terminal/Progress.ts"
import type { InputFile } from "./InputFile.ts"

const format = "{bar} {percentage}%  {rows} rows  {duration_formatted}"

/** Shows how far an import is, over the bytes of the file; of standard input only the rows. `update` takes rows. */
export const importProgress = (input: InputFile): Effect.Effect<Progress, never, Scope.Scope> => {
  const { position, size } = input
  if (size === undefined) return counter("rows")
  const texts = (rows: number) => ({ rows: grouped(rows) })
  return Effect.map(bar(size, format, texts(0)), ({ update }) => ({
    update: (rows) => update(position(), texts(rows))
  }))
}
