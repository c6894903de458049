import { Schema } from "effect"
import type { CommandResponse } from "pg-boss"

// pg-boss answers with this and hides it from its types. It is pinned to one version, and a test holds it to the answer.
const Response = Schema.Struct({
  affected: Schema.Int,
  settled: Schema.optionalKey(Schema.UndefinedOr(Schema.Array(Schema.String)))
})

const decode = Schema.decodeUnknownSync(Response)

/** How many jobs a command changed. */
export const affected = (response: CommandResponse): number => decode(response).affected

/** The ids of the jobs that a command ended or touched. */
export const settled = (response: CommandResponse): ReadonlySet<string> =>
  new Set(decode(response).settled ?? [])
