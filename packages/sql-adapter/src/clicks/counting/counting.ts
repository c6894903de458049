import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { conditions } from "./conditions.ts"
import { countingStep } from "./countingStep.ts"
import { countingTables } from "./countingTables.ts"
import { stepBins } from "./stepBins.ts"
import { stepGroups } from "./stepGroups.ts"
import { stepKeys } from "./stepKeys.ts"
import { timeBins } from "./timeBins.ts"
import { totals } from "./totals.ts"
import { yielding } from "./yielding.ts"

const statements = [
  countingTables,
  timeBins,
  conditions,
  yielding,
  countingStep,
  stepKeys,
  stepGroups,
  stepBins,
  totals
].flat()

/** Creates everything that counts clicks and answers from the counts, in the order in which it is best read. See README.md beside this file. */
export const counting = SqlClient.SqlClient.use((sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
