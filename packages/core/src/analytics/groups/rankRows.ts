import { compareCodePoints } from "../../values/Text.ts"
import type { Ranking } from "./AnalyticsQuery.ts"
import type { CountRow } from "./ClickCounts.ts"

/** Orders the values of a field: by code point, null last. */
const compareKeys = (a: string | null | undefined, b: string | null | undefined): number => {
  if (typeof a !== "string" || typeof b !== "string")
    return Number(typeof a !== "string") - Number(typeof b !== "string")
  return compareCodePoints(a, b)
}

const compareAllKeys = (a: CountRow, b: CountRow): number =>
  a.keys.reduce((order, key, index) => order || compareKeys(key, b.keys[index]), 0)

const measure = ({ current, previous }: CountRow, sort: Exclude<Ranking["sort"], "key">): number => {
  if (sort === "total") return current.clicks
  return sort === "change" ? current.clicks - previous.clicks : current.actions[sort]
}

/** Compares rows in the order of a ranking. */
export const compareRows =
  ({ descending, sort }: Ranking) =>
  (a: CountRow, b: CountRow): number => {
    const sign = descending ? -1 : 1
    if (sort === "key") return sign * compareAllKeys(a, b)
    return sign * (measure(a, sort) - measure(b, sort)) || compareAllKeys(a, b)
  }
