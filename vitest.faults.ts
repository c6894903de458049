import { defineConfig } from "vitest/config"

const project = (name: "long" | "sabotage") => ({
  extends: true as const,
  test: { name, provide: { faults: name } }
})

// The long form of the fault tests, and the sabotages that prove that the tests find faults: see docs/faults.md.
export default defineConfig({
  test: {
    pool: "forks",
    include: ["packages/cli/test/faults/*.test.ts"],
    globalSetup: ["./packages/sql-adapter/test/shared-postgres-global-setup.ts"],
    // Most of the time, a fault test only waits, so four in parallel keep the processors busy.
    maxConcurrency: 4,
    hookTimeout: 60_000,
    projects: [project("long"), project("sabotage")]
  }
})
