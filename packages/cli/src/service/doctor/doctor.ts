import { Effect } from "effect"
import { CommandFailed } from "../../CommandError.ts"
import { countOf } from "../../terminal/format.ts"
import * as Output from "../../terminal/Output.ts"
import { visibleText } from "../../terminal/visibleText.ts"
import { databaseChecks } from "./databaseChecks.ts"
import { dataFolderCheck, type Finding, portCheck, spoolCheck } from "./localChecks.ts"

const lineOf = ({ advice, check, detail, status }: Finding, nameWidth: number): string => {
  const line = `${status.padEnd(7)}  ${check.padEnd(nameWidth)}  ${visibleText(detail)}`
  return advice === undefined ? line : `${line}\n${" ".repeat(nameWidth + 11)}${visibleText(advice)}`
}

/** `clicks doctor`: checks everything that Clicks needs, with advice on what is wrong. */
export const doctor = Effect.fn("doctor")(function* ({ json }: Output.Format) {
  const machine = yield* Effect.all([dataFolderCheck, portCheck, spoolCheck], {
    concurrency: "unbounded"
  })
  const findings: ReadonlyArray<Finding> = [...machine, ...(yield* databaseChecks)]
  const failed = findings.filter((finding) => finding.status === "broken").length
  const nameWidth = Math.max(...findings.map((finding) => finding.check.length))
  if (json) yield* Output.json({ ok: failed === 0, checks: findings })
  else yield* Output.line(findings.map((finding) => lineOf(finding, nameWidth)).join("\n"))
  if (failed === 0) return
  return yield* new CommandFailed({ message: `${countOf(failed, "check")} of ${findings.length} failed` })
})
