import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

const postgres = "./packages/sql-adapter/test/shared-postgres-global-setup.ts"

const project = (name: string, root: string, globalSetup: Array<string>) => ({
  extends: true as const,
  test: { name, globalSetup, include: [`${root}/test/**/*.test.ts`] }
})

// Those with the longest tests first: a long test that starts last keeps one processor waiting.
const projects = [
  project("packages", ".", []),
  project("dashboard", "packages/dashboard", [postgres]),
  project("worker", "packages/worker", [postgres]),
  project("cli", "packages/cli", [postgres]),
  project("sql-adapter", "packages/sql-adapter", [postgres]),
  project("http", "packages/http", [postgres]),
  project("clickhouse-adapter", "packages/clickhouse-adapter", []),
  project("browser", "packages/browser", []),
  project("core", "packages/core", []),
  project("examples", "examples", [])
]

const position = ({ project: { name } }: TestSpecification) =>
  projects.findIndex(({ test }) => test.name === name)

class InOrderOfProjects extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    return (await super.sort(files)).toSorted((a, b) => position(a) - position(b))
  }
}

export default defineConfig({
  test: {
    pool: "forks",
    // Loading the modules anew for each of 160 files takes a second of the processor per file.
    isolate: false,
    // For the processes that tests start, too.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compile", import.meta.url)) },
    // What a test and the code under test print is shown when it fails.
    silent: "passed-only",
    // More than two processors: many tests wait for a moment to come or for a process to end.
    maxWorkers: 4,
    sequence: { sequencer: InOrderOfProjects },
    // Tests wait for a state, so this only ends a wait in vain. Where ten processes want two processors, a command takes three
    // seconds to start, and a test runs up to forty of them.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects
  }
})
