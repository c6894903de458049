import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

const postgres = "./packages/sql-adapter/test/shared-postgres-global-setup.ts"

const testsOf = (folder: string) => `${folder}/test/**/*.test.ts`

// A project has processes of its own, and each loads the modules anew: so there are two, and not one for each package.
const project = (name: string, folders: Array<string>, globalSetup: Array<string>) => ({
  extends: true as const,
  test: { name, globalSetup, include: folders.map(testsOf) }
})

// Those with the longest tests first: a long test that starts last keeps one processor waiting.
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
    // Loading the modules anew for each of 220 files takes a second of the processor per file.
    isolate: false,
    // For the processes that tests start, too.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compile", import.meta.url)) },
    // What a test and the code under test print is shown when it fails.
    silent: "passed-only",
    // More than two processors: many tests wait for a moment to come or for a process to end.
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst },
    // Tests wait for a state, so this only ends a wait in vain. Where ten processes want two processors, a command takes three
    // seconds to start, and a test runs up to forty of them.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [project("with a database", withDatabase, [postgres]), project("without", [".", ...others], [])]
  }
})
