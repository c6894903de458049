import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import type { Bucket, BucketWidth, Cut } from "@clicks/core/clicks/tiers/Cut"
import { and } from "../sqlText.ts"
import { comparedFields, hasValues, indexFirst, isLeftOut, isWithin } from "./clickConditions.ts"
import { always, origin, spanOf, split } from "./instants.ts"
import { filteredUnit, prefer, units } from "./projections.ts"

/**
 * The number of clicks by bucket: counts of the projections, plus rows at the ends of the range, minus rows that the cut leaves
 * out. All three are in one statement, so that they see the same rows.
 */
export const countStatement = (table: string, cut: Cut, filter: ClickFilter, width: BucketWidth): string => {
  const span = spanOf(filter)
  const fields = comparedFields(filter)
  const unit = filteredUnit(fields, width)
  const values = hasValues(filter)
  const { edges, whole } = unit === undefined ? { edges: [span], whole: undefined } : split(span, units[unit])
  const count = (bucket: string, sign: string, conditions: ReadonlyArray<string>) =>
    `select ${bucket} as bucket, ${sign}toInt64(count()) as clicks from ${table} where ${and(conditions)} group by bucket`
  const exact = `intDiv(occurred_at + ${origin}, ${width})`
  const counted = unit && (units[unit] === width ? unit : `intDiv(${unit}, ${width / units[unit]})`)
  const pieces = [
    ...(unit && whole && counted
      ? [count(counted, "", [...values, ...isWithin(whole, unit, split(always, units[unit]).whole)])]
      : []),
    ...edges.map((edge) => count(exact, "", [...values, ...isWithin(edge)])),
    count(exact, "-", [...values, ...isWithin(span), isLeftOut(cut)])
  ]
  const settings = [indexFirst, ...(unit ? [prefer(fields, unit)] : [])]
  return `select bucket, sum(clicks) from (${pieces.join(" union all ")}) group by bucket having sum(clicks) != 0
    settings ${settings.join(", ")}`
}

/** The bucket of a row of `countStatement`. */
export const toBucket = (line: string, width: BucketWidth): Bucket => {
  const [bucket = 0, count = 0]: ReadonlyArray<number> = JSON.parse(line)
  return { start: bucket * width - origin, count }
}
