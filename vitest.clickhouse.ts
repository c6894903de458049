import { defineConfig } from "vitest/config"

// The tests that need ClickHouse: `npm run test:clickhouse` installs it and sets CHDB_FOLDER.
export default defineConfig({
  test: {
    pool: "forks",
    // One ClickHouse serves all files.
    maxWorkers: 1,
    isolate: false,
    include: [
      "packages/clickhouse-adapter/test/**/*.test.ts",
      "packages/cli/test/clicks/adoptArchive.test.ts"
    ],
    globalSetup: ["./packages/sql-adapter/test/shared-postgres-global-setup.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000
  }
})
