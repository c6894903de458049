import { Schema } from "effect"

/** What became of a damaged file, kept beside it for the person who looks at it. */
export const SalvageReport = Schema.Struct({
  file: Schema.String,
  /** Clicks that could be read and wait in the spool again. */
  salvaged: Schema.Int,
  /** Clicks that should have been there and could not be read; null when even their number could not. */
  suspected_lost: Schema.NullOr(Schema.Int)
})
export interface SalvageReport extends Schema.Schema.Type<typeof SalvageReport> {}
