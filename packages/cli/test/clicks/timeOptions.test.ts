import { assert, describe, it } from "@effect/vitest"
import { readTimeOptions } from "../../src/clicks/timeOptions.ts"

// It is still the 21st in Phoenix, and the clocks of Berlin went back on 25 October.
const now = new Date("2026-11-22T05:00:00Z")

const from = (text: string, tz?: string) =>
  readTimeOptions({ from: text, ...(tz && { tz }) }, now).bounds.from?.toISOString()

describe("readTimeOptions", () => {
  it("reads words, months and dates as first instants in the time zone", () => {
    assert.strictEqual(from("today"), "2026-11-22T00:00:00.000Z")
    assert.strictEqual(from("today", "America/Phoenix"), "2026-11-21T07:00:00.000Z")
    assert.strictEqual(from("yesterday", "America/Phoenix"), "2026-11-20T07:00:00.000Z")
    assert.strictEqual(from("7d"), "2026-11-15T00:00:00.000Z")
    assert.strictEqual(from("7d", "Europe/Berlin"), "2026-11-14T23:00:00.000Z")
    assert.strictEqual(from("30d", "Europe/Berlin"), "2026-10-22T22:00:00.000Z")
    assert.strictEqual(from("0d"), from("today"))
    assert.strictEqual(from("1d"), from("yesterday"))
    assert.strictEqual(from("2026-11"), "2026-11-01T00:00:00.000Z")
    assert.strictEqual(from("2026-11", "Europe/Berlin"), "2026-10-31T23:00:00.000Z")
    assert.strictEqual(from("2026-11-20T10:00", "Europe/Berlin"), "2026-11-20T09:00:00.000Z")
    assert.strictEqual(from("2026-11-20T10:00Z", "Europe/Berlin"), "2026-11-20T10:00:00.000Z")
  })

  it("keeps the digits beyond the millisecond, which no click has: the range begins after them", () => {
    const time = "2026-11-20T10:00:00.0005Z"
    const { texts } = readTimeOptions({ from: time, before: time, to: time }, now)
    assert.deepStrictEqual(texts, { from: time, before: time, to: time })
    assert.strictEqual(from(time), "2026-11-20T10:00:00.001Z")
  })

  it.each(["2026-13", "7 d", "-7d", "99999d", "Today", "tomorrow", "2026", "2026-02-30"])(
    "rejects %j with valid examples",
    (text) => {
      assert.strictEqual(
        readTimeOptions({ before: text }, now).error,
        `--before must be an ISO 8601 date or date-time, such as 2026-11-20 or 2026-11-20T10:00:00Z; it is "${text}". Also valid: 2026-11, today, yesterday, 7d`
      )
    }
  )

  it("prints no control characters in error messages", () => {
    for (const options of [{ from: "\u001b[2J\u202enow" }, { tz: "\u001b[2J\u202enow" }])
      assert.match(readTimeOptions(options, now).error ?? "", /; it is "\\u001b\[2J\\u202enow"/)
  })

  it("hints at --before when a range is the first instant of a day or month", () => {
    const hint = (times: object) => readTimeOptions(times, now).hint
    assert.strictEqual(
      hint({ from: "2026-11", to: "2026-11" }),
      "--to 2026-11 means its first instant, 2026-11-01T00:00:00.000Z; for a whole day or month, give its end with --before"
    )
    assert.match(hint({ from: "today", to: "today" }) ?? "", /^--to today means .*2026-11-22T00:00/)
    assert.isUndefined(hint({ from: "2026-11", to: "2026-12" }))
    assert.isUndefined(hint({ from: "2026-11-01T10:00Z", to: "2026-11-01T10:00Z" }))
  })

  it("rejects a range that cannot contain a click", () => {
    const error = (times: object) => readTimeOptions(times, now).error
    assert.strictEqual(error({ from: "today", to: "7d" }), "--from today is after --to 7d")
    assert.strictEqual(
      error({ from: "2026-11", before: "2026-11-01" }),
      "--from 2026-11 must be earlier than --before 2026-11-01"
    )
    assert.isUndefined(error({ from: "today", to: "today" }))
    assert.isUndefined(error({ from: "yesterday", before: "today" }))
  })
})
