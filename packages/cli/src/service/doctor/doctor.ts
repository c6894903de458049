import { Effect } from "effect"
import { CommandFailed, exitCodes } from "../../CommandError.ts"
import { countOf } from "../../terminal/format.ts"
import * as Output from "../../terminal/Output.ts"
import { visibleText } from "../../terminal/visibleText.ts"
import { databaseChecks } from "./databaseChecks.ts"
import type { Finding } from "./Finding.ts"
import { dataFolderCheck, nodeCheck } from "./machineChecks.ts"
import { portCheck } from "./portCheck.ts"
import { spoolCheck } from "./spoolCheck.ts"

const lineOf = ({ advice, check, detail, status }: Finding, nameWidth: number): string => {
  const line = `${status.padEnd(7)}  ${check.padEnd(nameWidth)}  ${visibleText(detail)}`
  return advice === undefined ? line : `${line}\n${" ".repeat(nameWidth + 11)}${visibleText(advice)}`
}

/** `clicks doctor`: looks at everything that Clicks needs, and says what to do about what is not well. */
export const doctor = Effect.fn("doctor")(function* ({ json }: { readonly json?: boolean }) {
  const machine = yield* Effect.all([nodeCheck, dataFolderCheck, portCheck, spoolCheck], {
    concurrency: "unbounded"
  })
  const findings: ReadonlyArray<Finding> = [...machine, ...(yield* databaseChecks)]
  const isBroken = findings.some((finding) => finding.status === "broken")
  if (json) yield* Output.json({ ok: !isBroken, checks: findings })
  else {
    const nameWidth = Math.max(...findings.map((finding) => finding.check.length))
    yield* Output.line(findings.map((finding) => lineOf(finding, nameWidth)).join("\n"))
  }
  if (isBroken) {
    const count = findings.filter((finding) => finding.status === "broken").length
    return yield* new CommandFailed({
      message: `${countOf(count, "check")} of ${findings.length} failed`
    })
  }
  return exitCodes.done
})
