import { type Step, toSteps } from "@clicks/core/analytics/Funnel"
import type { Interval } from "@clicks/core/analytics/Interval"
import { assert, describe, it } from "@effect/vitest"
import stringWidth from "string-width"
import { bucketText, funnelTable, groupTable } from "../../src/analytics/statsTables.ts"

const hostile = "ウェブ店舗のとても長い名前\u001b[31m red\nnext".repeat(4)

describe("bucketText", () => {
  it.each([
    ["hour", "2026-10-25T00:00:00Z", "Europe/Berlin", "2026-10-25 02:00 +02:00"],
    ["hour", "2026-10-25T01:00:00Z", "Europe/Berlin", "2026-10-25 02:00 +01:00"],
    ["hour", "2026-07-01T03:30:00Z", "America/St_Johns", "2026-07-01 01:00 -02:30"],
    ["hour", "2026-11-20T10:00:00Z", "UTC", "2026-11-20 10:00 +00:00"],
    ["day", "2026-10-24T22:00:00Z", "Europe/Berlin", "2026-10-25"],
    ["week", "2026-10-18T22:00:00Z", "Europe/Berlin", "2026-10-19"],
    ["month", "2026-09-30T22:00:00Z", "Europe/Berlin", "2026-10"]
  ] as const)("names the %s that begins at %s in %s: %s", (interval, instant, timeZone, text) => {
    assert.strictEqual(bucketText(new Date(instant), { interval, timeZone }), text)
  })
})

describe("groupTable", () => {
  const query = { filter: {}, groupBy: ["action"], limit: 10 } as const

  it("shows numbers right-aligned and bars to the eighth of a column", () => {
    const groups = [
      { action: "view", clicks: 1234, visitors: 12 },
      { action: null, clicks: 617, visitors: 3 },
      { action: "other", clicks: 1, visitors: null }
    ]
    assert.deepStrictEqual(groupTable(groups, query, 80).split("\n"), [
      "action  clicks  visitors",
      `view     1,234        12  ${"█".repeat(40)}`,
      `(none)     617         3  ${"█".repeat(20)}`,
      "other        1         –  ▏"
    ])
  })

  it.each(["hour", "day", "week", "month"] as const)(
    "fits 80 columns with an axis by %s",
    (interval: Interval) => {
      const groups = [1_000_000, 3].map((clicks) => ({
        bucket: new Date("2026-10-25T00:00:00Z"),
        campaign_id: hostile,
        product_id: hostile,
        source: "web",
        clicks,
        visitors: clicks
      }))
      const text = groupTable(
        groups,
        {
          ...query,
          groupBy: ["campaign_id", "product_id", "source"],
          axis: { interval, timeZone: "Europe/Berlin" }
        },
        80
      )
      const lines = text.split("\n")
      assert.lengthOf(lines, 3)
      for (const line of lines) assert.isAtMost(stringWidth(line), 80)
      assert.include(lines[1], "█".repeat(10))
      assert.notMatch(text, /(?!\n)\p{Cc}/u)
    }
  )
})

describe("funnelTable", () => {
  const clicks: Readonly<Record<Step, number>> = { view: 40, compare: 10, open_product: 20, open_store: 0 }
  const steps = toSteps((step) => ({ clicks: clicks[step], visitors: 2 }))
  const table = (campaign_id: string | null) =>
    funnelTable({ group_by: "campaign_id", groups: [{ campaign_id, steps }], total: 1 }, 80).split("\n")

  it("shows the steps with their rates", () => {
    assert.deepStrictEqual(
      table("spring").map((row) => row.replace(/ *[█▏▎▍▌▋▊▉]+$/, "")),
      [
        "campaign_id  step          clicks  of view  of previous  visitors",
        "spring       view              40  100.0 %                      2",
        "             compare           10   25.0 %       25.0 %         2",
        "             open_product      20   50.0 %      200.0 %         2",
        "             open_store         0    0.0 %        0.0 %         2"
      ]
    )
    assert.match(table(null)[1] ?? "", /^\(none\) /)
  })

  it("fits 80 columns", () => {
    for (const line of table(hostile)) assert.isAtMost(stringWidth(line), 80)
  })
})
