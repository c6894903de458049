import type { CrawlSchedule } from "@clicks/core/tasks/CrawlSchedule"
import type { Task } from "@clicks/core/tasks/Task"
import { assert, describe, it } from "@effect/vitest"
import stringWidth from "string-width"
import { queuedColumns, scheduleColumns, taskColumns } from "../../src/tasks/taskTables.ts"
import { table } from "../../src/terminal/Table.ts"

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

const now = new Date("2026-11-22T00:00:00Z")

const tasksAt80 = (tasks: ReadonlyArray<Task>) => table(taskColumns(tasks, now), tasks, 80)

describe("a table of tasks in 80 columns", () => {
  const crawl: Task = { ...task, kind: "store-crawl", payload: { store_id: "s-1234" } }

  it("shows kind and payload in full, in separate columns", () => {
    const [titles, first, second] = tasksAt80([task, crawl]).split("\n")
    assert.match(titles ?? "", /^id {36}state {6}kind {13}payload$/)
    assert.match(first ?? "", / {2}cancelled {2}store-discovery {2}AZ$/)
    assert.match(second ?? "", / {2}cancelled {2}store-crawl {6}s-1234$/)
  })

  it("shows when scheduled tasks run", () => {
    const shown = tasksAt80([{ ...crawl, state: "scheduled" }])
    assert.match(shown, / {2}scheduled {2}store-c\S+ {2}s-1234 {3}11-20 12:00Z$/)
    assert.isAtMost(widest(shown), 80)
  })

  it("shows errors beside payloads", () => {
    const failed: Task = { ...crawl, state: "failed", error: "There is no store s-1234" }
    assert.match(tasksAt80([failed]), / {2}failed {2}store-crawl {2}s-1234 {3}There is no…$/)
  })
})

describe("the times of tasks and schedules", () => {
  it("are shown in full and marked as UTC in 80 columns", () => {
    const queued = table(queuedColumns(now), [task], 80)
    assert.match(queued, / {2}11-20 12:00Z$/)
    assert.isAtMost(widest(queued), 80)
    const schedules = table(scheduleColumns(now), [schedule], 80)
    assert.match(schedules, / {2}11-20 12:00Z {2}11-20 12:15Z$/)
    assert.isAtMost(widest(schedules), 80)
  })

  it("include the year if it is not obvious", () => {
    const later = { ...task, run_at: new Date("2027-11-21T12:00:00Z") }
    assert.match(table(queuedColumns(now), [later], 80), / {2}2027-11-21$/)
  })
})
