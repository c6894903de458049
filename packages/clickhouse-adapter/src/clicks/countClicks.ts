import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import type { Bucket, BucketWidth, Cut } from "@clicks/core/clicks/tiers/Cut"
import { and } from "../sqlText.ts"
import { comparedFields, hasValues, isLeftOut, isWithin } from "./clickConditions.ts"
import { always, day, hour, origin, type Span, spanOf, split } from "./instants.ts"
import { filteredUnit, type Unit } from "./projections.ts"

const lengths: Readonly<Record<Unit, number>> = { hour, day }

const unitFor = (filter: ClickFilter, width: BucketWidth): Unit | undefined =>
  width % hour === 0 ? filteredUnit(comparedFields(filter), width) : undefined

const inUnits = ({ from, to }: Span, unit: Unit) =>
  isWithin({ from, to }, unit, split(always, lengths[unit]).whole)

/**
 * The number of clicks by bucket: counts of the projections, plus rows at the ends of the range, minus rows that the cut leaves
 * out. All three are in one statement, so that they see the same rows.
 */
export const countStatement = (table: string, cut: Cut, filter: ClickFilter, width: BucketWidth): string => {
  const span = spanOf(filter)
  const unit = unitFor(filter, width)
  const values = hasValues(filter)
  const { edges, whole } =
    unit === undefined ? { edges: [span], whole: undefined } : split(span, lengths[unit])
  const count = (bucket: string, sign: string, conditions: ReadonlyArray<string>) =>
    `select ${bucket} as bucket, ${sign}toInt64(count()) as clicks from ${table} where ${and(conditions)} group by bucket`
  const exact = `intDiv(occurred_at + ${origin}, ${width})`
  const counted = unit && (lengths[unit] === width ? unit : `intDiv(${unit}, ${width / lengths[unit]})`)
  const pieces = [
    ...(unit && whole && counted ? [count(counted, "", [...values, ...inUnits(whole, unit)])] : []),
    ...edges.map((edge) => count(exact, "", [...values, ...isWithin(edge)])),
    count(exact, "-", [...values, ...isWithin(span), isLeftOut(cut)])
  ]
  return `select bucket, sum(clicks) from (${pieces.join(" union all ")}) group by bucket having sum(clicks) != 0`
}

/** The bucket of a row of `countStatement`. */
export const toBucket = (line: string, width: BucketWidth): Bucket => {
  const [bucket = 0, count = 0]: ReadonlyArray<number> = JSON.parse(line)
  return { start: bucket * width - origin, count }
}
