import { defineConfig } from "vitest/config"

const postgres = "./packages/sql-adapter/test/shared-postgres-global-setup.ts"

const project = (name: string, root: string, globalSetup: Array<string>) => ({
  extends: true as const,
  test: { name, globalSetup, include: [`${root}/test/**/*.test.ts`] }
})

export default defineConfig({
  test: {
    pool: "forks",
    // What a test and the code under test print is shown when it fails.
    silent: "passed-only",
    // The PostgreSQL they share needs a processor too.
    maxWorkers: 2,
    // Tests wait for a state, so this only ends a wait in vain. Where ten processes want two processors, a command takes three
    // seconds to start, and a test runs up to forty of them.
    testTimeout: 300_000,
    hookTimeout: 180_000,
    projects: [
      project("core", "packages/core", []),
      project("sql-adapter", "packages/sql-adapter", [postgres]),
      project("http", "packages/http", [postgres]),
      project("worker", "packages/worker", [postgres]),
      project("cli", "packages/cli", [postgres]),
      project("examples", "examples", []),
      project("packages", ".", [])
    ]
  }
})
