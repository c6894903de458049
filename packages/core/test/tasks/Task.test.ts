import { assert, describe, it } from "vitest"
import { newTask } from "../../src/tasks/Task.ts"

describe("newTask", () => {
  it("fills in a field that is present and undefined, as code without types may pass it", () => {
    const fields = {
      kind: "greeting",
      payload: null,
      priority: undefined,
      run_at: undefined,
      max_attempts: undefined
    }
    const { batch_id, max_attempts, priority, run_at } = newTask(fields as never, 0)
    assert.deepStrictEqual(
      { batch_id, max_attempts, priority, run_at },
      { batch_id: null, max_attempts: 5, priority: 0, run_at: null }
    )
  })
})
