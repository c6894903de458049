import { defineConfig } from "vitest/config"

const postgres = "./packages/sql-adapter/test/shared-postgres-global-setup.ts"

const project = (name: string, root: string, globalSetup: Array<string>) => ({
  extends: true as const,
  test: { name, globalSetup, include: [`${root}/test/**/*.test.ts`] }
})

export default defineConfig({
  test: {
    pool: "forks",
    // The PostgreSQL they share needs a processor too.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      project("core", "packages/core", []),
      project("sql-adapter", "packages/sql-adapter", [postgres]),
      project("http", "packages/http", [postgres]),
      project("worker", "packages/worker", [postgres]),
      project("cli", "packages/cli", [postgres]),
      project("examples", "examples", [postgres])
    ]
  }
})
