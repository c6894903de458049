import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

const postgres = "./packages/sql-adapter/test/shared-postgres-global-setup.ts"

const testsOf = (folder: string) => `${folder}/test/**/*.test.ts`

// Each project has its own processes, and each process loads all modules. So there are two projects, not one per package.
const project = (name: string, folders: Array<string>, globalSetup: Array<string>) => ({
  extends: true as const,
  test: { name, globalSetup, include: folders.map(testsOf) }
})

// Packages with the longest tests come first: a long test that starts last leaves one processor idle.
const withDatabase = ["dashboard", "worker", "cli", "sql-adapter", "http"].map((name) => `packages/${name}`)
const others = ["packages/clickhouse-adapter", "packages/browser", "packages/core", "examples"]
const folders = ["test", ...withDatabase, ...others]

const position = ({ moduleId }: TestSpecification) => {
  const path = relative(import.meta.dirname, moduleId).replaceAll("\\", "/")
  return folders.findIndex((folder) => path.startsWith(`${folder}/`))
}

class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    return (await super.sort(files)).toSorted((a, b) => position(a) - position(b))
  }
}

export default defineConfig({
  test: {
    pool: "forks",
    // To load the modules again for each of 220 files takes a second of processor time per file.
    isolate: false,
    // Also applies to the processes that tests start.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compile", import.meta.url)) },
    // The output of a test and of the code under test is shown if the test fails.
    silent: "passed-only",
    // More workers than processors, because many tests wait for a point in time or for a process to end.
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst },
    // Tests wait for a state, so the timeout only matters when the state never comes. When ten processes share two processors, a
    // command takes three seconds to start, and a test runs up to forty commands.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [project("with a database", withDatabase, [postgres]), project("without", [".", ...others], [])]
  }
})
