import { Effect } from "effect"
import { pairRollup } from "./clickPairs/pairRollup.ts"
import { pairTables } from "./clickPairs/pairTables.ts"
import { pairTally } from "./clickPairs/pairTally.ts"
import { pairTotals } from "./clickPairs/pairTotals.ts"

/**
 * Counts for pairs of values, and for every action beside each count. The counts begin anew. Totals are exact meanwhile and take as
 * long as before there were counts: ten million clicks take some seven minutes of a processor. To keep the old counts in use for so long
 * would take both sets of functions, and a trigger that serves both.
 */
export const clickPairs = Effect.all([pairTables, pairTally, pairRollup, pairTotals], { discard: true })
