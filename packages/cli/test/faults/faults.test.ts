import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll } from "vitest"
import { acknowledged, table } from "./Report.ts"
import { isLong, isSabotaged, scale } from "./Scale.ts"
import { scenarios, sequences } from "./scenarios.ts"
import { faultsOf, type Verdict } from "./Trial.ts"

const tested = isLong ? scenarios : sequences

for (const { impossible, name } of scenarios) {
  if (isLong && impossible !== undefined) console.log(`Not tested: ${name}. ${impossible}`)
}

const verdicts = new Map<string, Verdict>()

const none = {
  missing: 0,
  doubled: 0,
  changed: 0,
  unsent: 0,
  refused: 0,
  undrained: 0,
  miscounted: 0,
  quarantined: 0
}

// Whatever happens, every acknowledged click must be stored once, as it was sent.
describe.skipIf(isSabotaged)("faults", { concurrent: true, timeout: scale(600_000, 2_400_000) }, () => {
  for (const { impossible, name, run } of tested) {
    it.live.skipIf(impossible !== undefined)(name, () =>
      Effect.gen(function* () {
        const verdict = yield* run({})
        verdicts.set(name, verdict)
        if (isLong) console.log(table(new Map([[name, verdict]])))
        assert.deepStrictEqual(faultsOf(verdict), none, verdict.examples.join("\n"))
      })
    )
  }
  afterAll(() => {
    if (!isLong) return

    console.log(`${table(verdicts)}\n\n${acknowledged(verdicts).toLocaleString("en-US")} acknowledged`)
    if (verdicts.size === tested.length) assert.isAtLeast(acknowledged(verdicts), 1_000_000)
  })
})
