import { chunks } from "./chunks.ts"
import { conditions } from "./conditions.ts"
import { countingStep } from "./countingStep.ts"
import { countingTables } from "./countingTables.ts"
import { stepBins } from "./stepBins.ts"
import { stepGroups } from "./stepGroups.ts"
import { stepKeys } from "./stepKeys.ts"
import { timeBins } from "./timeBins.ts"
import { totals } from "./totals.ts"
import { yielding } from "./yielding.ts"

/** The SQL that counts clicks and answers from the counts, in reading order. See README.md beside this file. */
export const counting = [
  countingTables,
  timeBins,
  conditions,
  yielding,
  countingStep,
  stepKeys,
  stepGroups,
  stepBins,
  chunks,
  totals
].flat()
