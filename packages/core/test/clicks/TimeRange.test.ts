import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { parseInstantIn, parseTimeRange } from "../../src/clicks/TimeRange.ts"
import { offsetAt } from "../../src/values/TimeZone.ts"
import { clockChanges } from "../contract/analytics/clockChanges.ts"

const range = (parameters: Readonly<Record<string, string>>) => {
  const result = parseTimeRange(parameters)
  return Result.isFailure(result) ? result.failure.message : result.success
}

const minute = 60_000

describe("parseTimeRange", () => {
  it("ends before --before and with --to; the earlier one counts", () => {
    assert.deepStrictEqual(range({ from: "2026-11-01", before: "2026-12-01" }), {
      from: new Date("2026-11-01T00:00:00.000Z"),
      to: new Date("2026-11-30T23:59:59.999Z")
    })
    const last = { to: new Date("2026-11-29T23:59:59.999Z") }
    assert.deepStrictEqual(range({ before: "2026-11-30", to: "2026-12-01" }), last)
    assert.deepStrictEqual(range({ before: "2026-12-01", to: "2026-11-29T23:59:59.999" }), last)
    assert.deepStrictEqual(range({ before: "2026-11-30", to: "2026-11-30" }), last)
  })

  it("compares times beyond the millisecond exactly", () => {
    const [half, next] = ["2026-11-01T01:00:00.0005Z", new Date("2026-11-01T01:00:00.001Z")]
    const whole = new Date("2026-11-01T01:00:00.000Z")
    assert.deepStrictEqual(range({ from: half }), { from: next })
    assert.deepStrictEqual(range({ from: "2026-11-01T01:00:00,000000001", tz: "UTC" }), { from: next })
    assert.deepStrictEqual(range({ from: "2026-11-01T01:00:00.000000Z" }), { from: whole })
    assert.deepStrictEqual(range({ to: half }), { to: whole })
    assert.deepStrictEqual(range({ before: half }), { to: whole })
    assert.deepStrictEqual(range({ from: "2026-11-01T01:00:00.0005", tz: "America/Phoenix" }), {
      from: new Date("2026-11-01T08:00:00.001Z")
    })
  })

  it("reads times without an offset in tz, and others as they are", () => {
    assert.deepStrictEqual(range({ from: "2026-11-01", to: "2026-11-01T12:00Z", tz: "America/Phoenix" }), {
      from: new Date("2026-11-01T07:00:00Z"),
      to: new Date("2026-11-01T12:00:00Z")
    })
  })

  it("reports what is wrong, the given value and valid examples", () => {
    assert.strictEqual(
      range({ before: "next week" }),
      'before must be an ISO 8601 date or date-time, such as 2026-11-20 or 2026-11-20T10:00:00Z; it is "next week"'
    )
    assert.strictEqual(
      range({ tz: "Mars" }),
      'tz must be the name of a time zone, such as Europe/Berlin or UTC; it is "Mars"'
    )
    assert.isBelow(String(range({ from: "x".repeat(10_000) })).length, 200)
  })
})

describe("parseInstantIn", () => {
  it.each([
    // Clocks go from 2:00 to 3:00, and back from 3:00 to 2:00.
    ["2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
    ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
    ["2026-10-25 02:30+01:00", "Europe/Berlin", "2026-10-25T01:30:00.000Z"],
    // A day without midnight, a day with two, and a day that does not exist.
    ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
    ["2026-11-01", "America/Havana", "2026-11-01T04:00:00.000Z"],
    ["2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
    ["2026-11-20", "Asia/Kathmandu", "2026-11-19T18:15:00.000Z"]
  ])("%s in %s is %s", (text, timeZone, iso) => {
    assert.strictEqual(parseInstantIn(text, timeZone)?.toISOString(), iso)
  })

  it("returns the first instant of a local time, around every clock change", () => {
    for (const [timeZone, changes] of Object.entries(clockChanges)) {
      for (const change of changes) {
        const first = new Map<string, number>()
        for (let offset = -36 * 60; offset <= 36 * 60; offset += 10) {
          const instant = Date.parse(change) + offset * minute
          const shown = new Date(instant + offsetAt(instant, timeZone)).toISOString().slice(0, 16)
          if (!first.has(shown)) first.set(shown, instant)
        }
        // The earliest hours may have been shown before the walk began.
        for (const [shown, instant] of Array.from(first).slice(18)) {
          assert.strictEqual(parseInstantIn(shown, timeZone)?.getTime(), instant, `${shown} ${timeZone}`)
        }
      }
    }
  })

  it("finds no instant outside the years 0001 to 9999", () => {
    assert.isUndefined(parseInstantIn("0001-01-01", "Asia/Tokyo"))
    assert.isUndefined(parseInstantIn("9999-12-31T23:59", "America/Phoenix"))
  })
})
