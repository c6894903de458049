import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { stage } from "../clicks/storedClicks.ts"
import { clicks } from "../clicks.ts"

const page = readFileSync(new URL("../../../../docs/questions.md", import.meta.url), "utf8")
const commands = Array.from(page.matchAll(/^clicks (stats .+)$/gm), ([, command = ""]) => command.split(" "))

type Fields = Readonly<Record<string, string>>

const click = (action: string, day: string, user_id: string, fields: Fields = {}) =>
  JSON.stringify({
    product_id: "p-1",
    source: "web",
    action,
    campaign_id: "weekend-deals",
    device_type: "desktop",
    occurred_at: `2026-11-${day}:00Z`,
    user_id,
    ...fields
  })

const lamp = { product_id: "p-2", store_id: "s-1", device_type: "mobile" }
const chair = { product_id: "p-3", campaign_id: "autumn", device_type: "mobile" }

const stored = [
  // Last week: anna and ben.
  click("view", "10T09:00", "anna"),
  click("view", "11T09:00", "ben", lamp),
  click("view", "12T09:00", "ben", lamp),
  click("view", "19T09:00", "anna"),
  // This week: anna returns, carl is new.
  click("view", "20T08:30", "anna"),
  click("open_product", "20T08:31", "anna"),
  click("compare", "20T08:32", "anna"),
  click("view", "20T08:40", "anna", lamp),
  click("open_product", "20T08:41", "anna", lamp),
  click("open_store", "20T08:42", "anna", lamp),
  click("view", "22T20:00", "carl"),
  click("view", "22T20:01", "carl", lamp),
  click("view", "22T20:02", "carl", chair)
]

const bar = / +[█▏▎▍▌▋▊▉]*$/

/** The table that a command prints, without bars. */
const answers = (command: ReadonlyArray<string>) =>
  Effect.map(clicks(command), ({ code, stderr, stdout }) => {
    assert.strictEqual(code, 0, stderr)
    return stdout
      .trimEnd()
      .split(/\r?\n/)
      .map((line) => line.replace(bar, ""))
  })

/** The topic of each question, and its answer for the clicks above. */
const expected: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  [
    "top products, with last week",
    [
      "product_id  clicks  visitors  before   change",
      "p-1              5         2       1  +400.0%",
      "p-2              4         2       2  +100.0%",
      "p-3              1         1       0      new"
    ]
  ],
  [
    "funnel by campaign, with compare beside the steps",
    [
      "campaign_id    step          clicks  of view  of previous  visitors",
      "weekend-deals  view               5   100.0%                      2",
      "               open_product       2    40.0%        40.0%         1",
      "               open_store         1    20.0%        50.0%         1",
      "               · compare          1    20.0%                      1",
      "autumn         view               1   100.0%                      1",
      "               open_product       0     0.0%         0.0%         0",
      "               open_store         0     0.0%                      0",
      "               · compare          0     0.0%                      0"
    ]
  ],
  [
    "stores by opened store",
    [
      "store_id  clicks  visitors  view  open_product  open_store  compare  other",
      "s-1            4         2     2             1           1        0      0",
      "(none)         6         2     4             1           0        1      0"
    ]
  ],
  [
    "share of devices",
    [
      "device_type  clicks  visitors   share",
      "desktop           5         2   50.0%",
      "mobile            5         2   50.0%",
      "(total)          10         2  100.0%"
    ]
  ],
  [
    "daily trend, with days without clicks",
    [
      "day         clicks  visitors",
      "2026-11-16       0         0",
      "2026-11-17       0         0",
      "2026-11-18       0         0",
      "2026-11-19       1         1",
      "2026-11-20       6         1",
      "2026-11-21       0         0",
      "2026-11-22       3         1"
    ]
  ],
  [
    "hours of the week in the time zone",
    [
      "weekday  clicks  busiest  00    06    12    18",
      "Mon           0           ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁",
      "Tue           0           ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁",
      "Wed           0           ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁",
      "Thu           1  10:00    ▁▁▁▁▁▁▁▁▁▁▃▁▁▁▁▁▁▁▁▁▁▁▁▁",
      "Fri           6  09:00    ▁▁▁▁▁▁▁▁▁█▁▁▁▁▁▁▁▁▁▁▁▁▁▁",
      "Sat           0           ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁",
      "Sun           3  21:00    ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▅▁▁"
    ]
  ],
  [
    "distinct visitors, per day and in all",
    [
      "day         clicks  visitors   share",
      "2026-11-20       6         1   66.7%",
      "2026-11-21       0         0    0.0%",
      "2026-11-22       3         1   33.3%",
      "(total)          9         2  100.0%"
    ]
  ],
  ["products viewed but never opened", ["product_id  clicks  visitors", "p-3              1         1"]],
  [
    "a campaign and the period before",
    [
      "day         clicks  visitors   share  before   change",
      "2026-11-20       6         1   75.0%       0      new",
      "2026-11-21       0         0    0.0%       0",
      "2026-11-22       2         1   25.0%       1  +100.0%",
      "(total)          8         2  100.0%       1  +700.0%"
    ]
  ],
  [
    "new and returning visitors",
    [
      "week        visitors  new  returning",
      "2026-11-09         2    2          0",
      "2026-11-16         2    1          1"
    ]
  ],
  [
    "products clicked together",
    [
      "product_id  other product_id  visits  visitors",
      "p-1         p-2                    2         2",
      "p-1         p-3                    1         1",
      "p-2         p-3                    1         1"
    ]
  ],
  [
    "a spreadsheet",
    [
      "product_id,campaign_id,clicks,visitors,view,open_store,open_product,compare,other",
      "p-1,weekend-deals,5,2,3,0,1,1,0",
      "p-2,weekend-deals,4,2,2,1,1,0,0",
      "p-3,autumn,1,1,1,0,0,0,0"
    ]
  ]
]

describe("docs/questions.md", () => {
  it.effect("answers each of the twelve questions with one command", () =>
    Effect.gen(function* () {
      assert.lengthOf(commands, expected.length)
      const imported = yield* clicks(["import", "-"], { input: stored.join("\n") })
      assert.strictEqual(imported.code, 0, imported.stderr)
      for (const [index, [subject, answer]] of expected.entries())
        assert.deepStrictEqual(yield* answers(commands[index] ?? []), answer, subject)
    }).pipe(Effect.provide(stage))
  )
})
