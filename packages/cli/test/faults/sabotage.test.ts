import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isClean } from "./Report.ts"
import { isSabotaged } from "./Scale.ts"
import type { SabotageName } from "./sabotage/sabotages.ts"
import { scenarios } from "./scenarios.ts"
import { faultsOf } from "./Trial.ts"

/** The scenarios that detect each sabotage. */
const shownBy: Readonly<Record<SabotageName, ReadonlyArray<string>>> = {
  "answers before the commit": ["service killed", "service terminated"],
  "a new id at each retry": ["cut at commit", "service or database frozen"],
  "no on conflict": ["cut at commit"],
  "deletes from the spool before the commit": ["service killed"],
  "commits without waiting for the log": ["database stopped"],
  "spool without fsync": ["power cut under the spool"],
  "spool without fsync of its folder": ["power cut under the spool"],
  "answers spooled when the write failed": ["disk full under the spool"],
  "answers stored when the store is unavailable": [
    "database away",
    "database silent",
    "database read-only",
    "no connection slots",
    "disk full under the database"
  ],
  "drops the other clicks of a batch with a rejected one": ["poison"],
  "records twice": ["clients that disconnect"],
  "takes the first piece for the whole": ["slow clients"],
  "does not wait for the rest of a body": ["slow clients"],
  "stores another city": ["database away", "slow clients"]
}

// Proves that the witness detects lost clicks.
describe.runIf(isSabotaged)(
  "a sabotaged service is detected:",
  { concurrent: true, timeout: 300_000 },
  () => {
    for (const [sabotage, names] of Object.entries(shownBy)) {
      for (const { impossible, name, run } of scenarios.filter((scenario) => names.includes(scenario.name))) {
        it.live.skipIf(impossible !== undefined)(`${sabotage}, by ${name}`, () =>
          Effect.gen(function* () {
            const verdict = yield* run({ sabotage })
            console.log(`| ${sabotage} | ${name} | ${JSON.stringify(faultsOf(verdict))} |`)
            assert.isFalse(isClean(verdict))
          })
        )
      }
    }
  }
)
