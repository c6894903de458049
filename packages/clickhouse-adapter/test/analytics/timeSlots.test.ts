import { intervals } from "@clicks/core/analytics/analyticsParameters"
import { earlierPeriod, moveLater } from "@clicks/core/analytics/Comparison"
import { slotOf } from "@clicks/core/analytics/Interval"
import { describe, expect, it } from "vitest"
import { currentSlots, earlierSlots, evenSlots } from "../../src/analytics/timeSlots.ts"
import { day, hour, origin } from "../../src/clicks/instants.ts"

/** The slots that ClickHouse computes from a slot's expression. */
const evaluate = (expression: string, at: number): number => {
  const lists = Array.from(expression.matchAll(/cast\('\[([^\]]*)\]'/g), ([, list = ""]) =>
    list.split(",").map(Number)
  )
  const [starts = [], , values = starts] = lists
  const index = Math.max(
    0,
    starts.findLastIndex((start) => start <= at)
  )
  return values[index] ?? Number.NaN
}

// Beginning and end of summer time, by an hour and by half an hour; a change past midnight; a skipped day.
const zones = [
  ["UTC", "2026-03-29T12:00:00Z"],
  ["Europe/Berlin", "2026-03-29T12:00:00Z"],
  ["America/New_York", "2026-11-01T12:00:00Z"],
  ["Australia/Lord_Howe", "2026-04-04T12:00:00Z"],
  ["America/St_Johns", "2010-11-07T02:00:00Z"],
  ["Pacific/Apia", "2011-12-30T02:00:00Z"],
  ["Asia/Kathmandu", "2026-01-01T00:00:00Z"]
] as const

const daysAround = (instant: number) => {
  const middle = Math.floor((instant + origin) / day)
  return [-3, -2, -1, 0, 1, 2].map((distance) => middle + distance)
}

const instantsOf = (days: ReadonlyArray<number>) =>
  days.flatMap((one) =>
    Array.from({ length: 24 * 12 }, (_, part) => one * day - origin + part * 300_000 + (part % 2) * 60_000)
  )

describe.each(zones)("slots in %s around %s", (timeZone, change) => {
  const days = daysAround(Date.parse(change))

  it.each(intervals)("are those of core by %s", (interval) => {
    const axis = { interval, timeZone }
    const { slot } = currentSlots(days, axis)
    const expression = slot("at")
    for (const at of instantsOf(days)) expect(evaluate(expression, at)).toBe(slotOf(new Date(at), axis))
  })

  it.each(["previous", "year"] as const)("move an earlier period as core does (%s)", (comparison) => {
    const range = {
      from: new Date(Date.parse(change) - 30 * hour),
      to: new Date(Date.parse(change) + 50 * hour)
    }
    const earlier = earlierPeriod(range, comparison, timeZone)
    const axis = { interval: "hour", timeZone } as const
    const { slot } = earlierSlots(daysAround(earlier.from.getTime() + 40 * hour), axis, earlier, range)
    const expression = slot("at")
    for (let at = earlier.from.getTime(); at <= earlier.to.getTime(); at += 420_000)
      expect(evaluate(expression, at)).toBe(slotOf(moveLater(new Date(at), earlier, range), axis))
  })
})

it.each(["hour", "day", "week"] as const)("slots in UTC do not need a list by %s", (interval) => {
  const axis = { interval, timeZone: "UTC" }
  const expression = evenSlots(axis)?.slot("at") ?? ""
  const [width = 0] = Array.from(expression.matchAll(/, (\d+)\)/g), ([, number]) => Number(number))
  expect(expression).toBe(`intDiv(at + ${origin}, ${width}) * ${width} - ${origin}`)
  for (const at of [-origin, ...instantsOf(daysAround(Date.parse("2026-03-29T12:00:00Z")))])
    expect(Math.trunc((at + origin) / width) * width - origin).toBe(slotOf(new Date(at), axis))
})
