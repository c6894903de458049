import type { CrawlSchedule } from "@clicks/core/tasks/CrawlSchedule"
import type { Task } from "@clicks/core/tasks/Task"
import { assert, describe, it } from "@effect/vitest"
import stringWidth from "string-width"
import { scheduleTable, taskLines, taskTable } from "../../src/tasks/taskTables.ts"

const id = "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a"
const noon = new Date("2026-11-20T12:00:59.999Z")

const task: Task = {
  id,
  kind: "store-discovery",
  payload: { state: "AZ" },
  state: "cancelled",
  priority: 0,
  run_at: noon,
  attempts: 0,
  max_attempts: 5,
  batch_id: null,
  error: null,
  created_at: noon,
  started_at: null,
  finished_at: noon
}

const schedule: CrawlSchedule = {
  id,
  store_id: id,
  interval_minutes: 15,
  enabled: true,
  priority: -1000,
  last_run_at: noon,
  next_run_at: new Date("2026-11-20T12:15:00Z"),
  updated_at: noon
}

const widest = (text: string): number => Math.max(...text.split("\n").map((line) => stringWidth(line)))

const shown = { width: 80, now: new Date("2026-11-22T00:00:00Z") }

describe("a table of tasks", () => {
  it("says what each task is for, also beside an error", () => {
    const crawl: Task = { ...task, kind: "store-crawl", payload: { store_id: "s-1234" }, state: "failed" }
    assert.match(taskTable([crawl], shown), / {2}s-1234 store-c/)
    assert.match(
      taskTable([{ ...crawl, error: "There is no store s-1234" }], shown),
      / {2}s-1234 store-c.* {2}There is no/
    )
  })
})

describe("the times of tasks and schedules", () => {
  it("say that they are in UTC, whole, in 80 columns", () => {
    const tasks = taskTable([task], shown)
    assert.match(tasks, / {2}11-20 12:00Z$/)
    assert.isAtMost(widest(tasks), 80)
    const schedules = scheduleTable([schedule], shown)
    assert.match(schedules, / {2}11-20 12:00Z {2}11-20 12:15Z$/)
    assert.isAtMost(widest(schedules), 80)
  })

  it("have their year where it is not plain", () => {
    const later = { ...task, run_at: new Date("2027-11-21T12:00:00Z") }
    assert.match(taskTable([later], shown), / {2}2027-11-21$/)
  })

  it("are shown to the second where there is room", () => {
    const lines = new Map(taskLines(task))
    assert.strictEqual(lines.get("run at"), "2026-11-20 12:00:59Z")
    assert.strictEqual(lines.get("started"), "")
  })
})
