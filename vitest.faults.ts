import { defineConfig } from "vitest/config"

const project = (name: "long" | "sabotage") => ({
  extends: true as const,
  test: { name, provide: { faults: name } }
})

// The long form of the fault tests, and the proof that they find what they look for: see docs/faults.md.
export default defineConfig({
  test: {
    pool: "forks",
    include: ["packages/cli/test/faults/*.test.ts"],
    globalSetup: ["./packages/sql-adapter/test/shared-postgres-global-setup.ts"],
    // Most of the time a fault only lasts; four of them at once leave the processors enough to do.
    maxConcurrency: 4,
    hookTimeout: 60_000,
    projects: [project("long"), project("sabotage")]
  }
})
