import type { ClickGroup } from "@clicks/core/analytics/ClickGroup"
import { type FunnelAction, toSteps } from "@clicks/core/analytics/Funnel"
import type { Interval } from "@clicks/core/analytics/Interval"
import { assert, describe, it } from "@effect/vitest"
import stringWidth from "string-width"
import { sparkline } from "../../src/analytics/charts.ts"
import { csvText } from "../../src/analytics/csvText.ts"
import { funnelTable } from "../../src/analytics/funnelTable.ts"
import { groupTable } from "../../src/analytics/groupTables.ts"
import { bucketText } from "../../src/analytics/statsColumns.ts"
import { cohortTable, pairTable } from "../../src/analytics/visitorTables.ts"

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

describe("sparkline", () => {
  it("shows values relative to the largest, and merges neighbours to fit", () => {
    assert.strictEqual(sparkline([0, 1, 50, 100]), "▁▂▅█")
    assert.strictEqual(sparkline([0, 0]), "▁▁")
    assert.strictEqual(sparkline([1, 1, 2, 2, 0, 0], 3), "▅█▁")
  })
})

const isNarrow = (text: string, width = 80) => {
  for (const line of text.split("\n")) assert.isAtMost(stringWidth(line), width, line)
  assert.notMatch(text, /(?!\n)\p{Cc}/u)
}

describe("groupTable", () => {
  const query = { groupBy: ["action"], visitors: true } as const

  it("shows numbers right-aligned and bars to the eighth of a column", () => {
    const groups = [
      { action: "view", clicks: 1234, visitors: 12 },
      { action: null, clicks: 617, visitors: 3 },
      { action: "other", clicks: 1, visitors: null }
    ]
    assert.deepStrictEqual(groupTable({ groups, total: 3 }, query, 80).split("\n"), [
      "action  clicks  visitors",
      `view     1,234        12  ${"█".repeat(40)}`,
      `(none)     617         3  ${"█".repeat(20)}`,
      "other        1         –  ▏"
    ])
  })

  const actions = { view: 1_000_000, open_store: 9, open_product: 1_000_000, compare: 3, other: 0 }
  const full: ClickGroup = {
    campaign_id: hostile,
    product_id: hostile,
    clicks: 1_000_000,
    visitors: 1_000_000,
    actions,
    share: 1,
    previous: { clicks: 1_000_000, visitors: 7, actions },
    change: { clicks: 10, visitors: -3, click_rate: -0.1, visitor_rate: null }
  }

  it("shows the change in clicks when groups are sorted by it", () => {
    const moved = (action: string, before: number, clicks: number): ClickGroup => ({
      action,
      clicks,
      visitors: null,
      previous: { clicks: before, visitors: null },
      change: { clicks: clicks - before, visitors: null, click_rate: clicks / before - 1, visitor_rate: null }
    })
    const groups = [
      moved("view", 1000, 2234),
      moved("other", 1, 3),
      moved("compare", 2, 2),
      moved("open_store", 4, 1)
    ]
    const ranking = { sort: "change", descending: true, without: [] } as const
    const text = groupTable({ groups, total: 4 }, { groupBy: ["action"], visitors: false, ranking }, 80)
    assert.deepStrictEqual(
      text.split("\n").map((line) => line.replace(/ +[█▏▎▍▌▋▊▉]*$/, "")),
      [
        "action      clicks  before    gain   change",
        "view         2,234   1,000  +1,234  +123.4%",
        "other            3       1      +2  +200.0%",
        "compare          2       2       0     0.0%",
        "open_store       1       4      −3   −75.0%"
      ]
    )
    assert.notInclude(groupTable({ groups, total: 4 }, { groupBy: ["action"], visitors: false }, 80), "gain")
  })

  it("shows no share of a total without clicks", () => {
    const totals = { clicks: 0, visitors: 0 }
    const text = groupTable({ groups: [], total: 0, totals }, { groupBy: ["source"], visitors: true }, 80)
    assert.match(text, /^\(total\) +0 +0$/m)
  })

  it("fits 80 columns with every option, and leaves out the least important columns", () => {
    const groupBy = ["campaign_id", "product_id"] as const
    const text = groupTable({ groups: [full], total: 1, totals: full }, { groupBy, visitors: true }, 80)
    isNarrow(text)
    const [titles = ""] = text.split("\n")
    assert.match(titles, /clicks .*view +open_product +open_store +compare +change$/)
    const { actions: _, ...plain } = full
    const bars = groupTable({ groups: [plain], total: 1 }, { groupBy, visitors: true }, 80)
    isNarrow(bars)
    assert.include(bars, "−10.0%")
  })

  it.each(["hour", "day", "week", "month"] as const)(
    "shows groups over time with sparklines in 80 columns, by %s",
    (interval: Interval) => {
      const axis = { interval, timeZone: "Europe/Berlin" }
      const groups = Array.from({ length: 400 }, (_, index) => ({
        bucket: new Date(Date.UTC(2026, 0, 1 + index)),
        campaign_id: hostile,
        product_id: hostile,
        clicks: 1_000_000 - index,
        visitors: 3
      }))
      const groupBy = ["campaign_id", "product_id"] as const
      const text = groupTable({ groups, total: 1 }, { groupBy, visitors: true, axis }, 80)
      isNarrow(text)
      assert.lengthOf(text.split("\n"), 2)
      assert.match(text, /399,920,200 +█{10,}/)
      const alone = groupTable({ groups, total: 400 }, { groupBy: [], visitors: true, axis }, 80)
      isNarrow(alone)
      assert.lengthOf(alone.split("\n"), 401)
    }
  )

  it("shows hours of the week of several groups in 80 columns", () => {
    const axis = { interval: "hour-of-week", timeZone: "UTC" } as const
    const groups = Array.from({ length: 168 }, (_, slot) => ({
      weekday: Math.floor(slot / 24) + 1,
      hour: slot % 24,
      product_id: hostile,
      clicks: slot,
      visitors: null
    }))
    const text = groupTable({ groups, total: 1 }, { groupBy: ["product_id"], visitors: true, axis }, 80)
    isNarrow(text)
    assert.match(text.split("\n").at(-1) ?? "", / Sun +3,732 {2}23:00 +█{24}$/)
  })
})

describe("funnelTable", () => {
  const clicks: Readonly<Record<FunnelAction, number>> = {
    view: 40,
    compare: 10,
    open_product: 20,
    open_store: 0
  }
  const steps = toSteps((step) => ({ clicks: clicks[step], visitors: 2 }))
  const table = (campaign_id: string | null) =>
    funnelTable({ group_by: "campaign_id", groups: [{ campaign_id, ...steps }], total: 1 }, 80).split("\n")

  it("shows the steps with their rates, and compare beside them", () => {
    assert.deepStrictEqual(
      table("spring").map((row) => row.replace(/ *[█▏▎▍▌▋▊▉]+$/, "")),
      [
        "campaign_id  step          clicks  of view  of previous  visitors",
        "spring       view              40   100.0%                      2",
        "             open_product      20    50.0%        50.0%         2",
        "             open_store         0     0.0%         0.0%         2",
        "             · compare         10    25.0%                      2"
      ]
    )
    assert.match(table(null)[1] ?? "", /^\(none\) /)
  })

  it("fits 80 columns", () => {
    isNarrow(table(hostile).join("\n"))
  })
})

describe("cohortTable and pairTable", () => {
  it("fit 80 columns", () => {
    const returned = Array.from({ length: 30 }, (_, index) => 1000 - index)
    const cohort = { week: new Date("2026-11-16T00:00:00Z"), visitors: 1000, returned }
    const cohorts = cohortTable({ cohorts: [cohort] }, "UTC", 80)
    isNarrow(cohorts)
    assert.match(cohorts, /^first week +visitors +\+1 +\+2 .*\n2026-11-16 +1,000 +99\.9% +99\.8%/)
    const pair = { products: [hostile, hostile], visits: 1_000_000, visitors: 1_000_000 }
    isNarrow(pairTable({ pairs: [pair], total: 1, skipped: 0 }, 80))
  })
})

describe("csvText", () => {
  it("quotes texts and guards spreadsheets against formulas", () => {
    const records = [{ product_id: '=1+"1"', clicks: 3, visitors: null }]
    assert.strictEqual(csvText(records, false), `product_id,clicks,visitors\r\n"'=1+""1""",3,\r\n`)
    assert.strictEqual(csvText([], false), "")
  })
})
