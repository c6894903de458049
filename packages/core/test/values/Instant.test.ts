import { assert, describe, it } from "@effect/vitest"
import { parseInstant } from "../../src/values/Instant.ts"

describe("parseInstant", () => {
  it.each([
    ["2026-11-20", "2026-11-20T00:00:00.000Z"],
    ["2026-11-20T10:00", "2026-11-20T10:00:00.000Z"],
    ["2026-11-20T10:00:01", "2026-11-20T10:00:01.000Z"],
    ["2026-11-20 10:00:01.5", "2026-11-20T10:00:01.500Z"],
    ["2026-11-20T10:00:01,123456789Z", "2026-11-20T10:00:01.123Z"],
    ["2026-11-20T10:00:00+02:00", "2026-11-20T08:00:00.000Z"],
    ["2026-11-20T10:00:00-0730", "2026-11-20T17:30:00.000Z"],
    ["2026-11-20t10:00:00z", "2026-11-20T10:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["0001-01-01", "0001-01-01T00:00:00.000Z"],
    ["0096-02-29", "0096-02-29T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"]
  ])("%s is %s", (text, iso) => {
    assert.strictEqual(parseInstant(text)?.toISOString(), iso)
  })

  it.each([
    "",
    "now",
    "2026",
    "2026-11",
    "2026-13-01",
    "2026-02-30",
    "2026-02-30T10:00:00.000Z",
    "2026-11-20T24:00:00.000Z",
    "0000-01-01T10:00:00.000Z",
    "2023-02-29",
    "2026-11-20T24:00",
    "2026-11-20T10",
    "2026-11-20T10:60",
    "2026-11-20Z",
    "2026-11-20T10:00:00 02:00",
    "20261120",
    "20 Nov 2026",
    "1700000000000",
    "0000-01-01",
    "9999-12-31T23:59:59-01:00",
    "0001-01-01T00:00:00+01:00",
    "2026-11-20T10:00:00+99:00",
    " 2026-11-20"
  ])("%j is not an instant", (text) => {
    assert.isUndefined(parseInstant(text))
  })

  it("agrees with the runtime on every day of four centuries", () => {
    const wrong: Array<string> = []
    for (let day = Date.UTC(1800, 0, 1); day < Date.UTC(2200, 0, 1); day += 86_400_000) {
      const iso = new Date(day).toISOString()
      for (const text of [iso, iso.slice(0, 10)]) if (parseInstant(text)?.getTime() !== day) wrong.push(text)
    }
    assert.deepStrictEqual(wrong, [])
  })
})
