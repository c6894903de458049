import { existsSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Redacted, Scope } from "effect"
import type { TestProject } from "vitest/node"
import * as EmbeddedPostgres from "../src/embedded/EmbeddedPostgres.ts"
import { discard, pidFile } from "./embedded/discard.ts"
import { isAlive } from "./embedded/isAlive.ts"
import { superuserUrl } from "./embedded/superuserUrl.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** A superuser's URL of the server that the whole test run shares. Each test file creates its own databases in it. */
    readonly postgresUrl: string
  }
}

// Nothing here must survive a power failure, and the suites run faster without syncs.
const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" }

const folderOf = (pid: number) => join(tmpdir(), `clicks-test-${pid}`)

/** The folders of test runs that were killed. */
const abandoned = () =>
  readdirSync(tmpdir())
    .map((name) => Number(/^clicks-test-(\d+)$/.exec(name)?.[1]))
    .filter((pid) => pid > 0 && !isAlive(pid))
    .map(folderOf)

/**
 * Starts a temporary server for the test run; the returned function stops and removes it. Vitest calls this once for each project, all in
 * one process, so they share the server like all users of a data folder.
 */
export default async function setup(project: TestProject) {
  const dataDir = folderOf(process.pid)
  const scope = Scope.makeUnsafe()
  const start = Effect.gen(function* () {
    yield* Effect.forEach(abandoned(), discard)
    const { url } = yield* Scope.provide(EmbeddedPostgres.acquire({ dataDir, settings }), scope)
    project.provide("postgresUrl", Redacted.value(yield* superuserUrl(dataDir, url)))
  })
  const end = Effect.gen(function* () {
    yield* Scope.close(scope, Exit.void)
    if (!existsSync(pidFile(dataDir))) yield* discard(dataDir)
  })
  await Effect.runPromise(Effect.onError(start, () => end))
  return () => Effect.runPromise(end)
}
