import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as EmbeddedPostgres from "../../src/embedded/EmbeddedPostgres.ts"
import {
  holder,
  MadeFolder,
  postmasterPid,
  query,
  quick,
  spawnHolder,
  temporaryFolder,
  until
} from "./embeddedProcesses.ts"
import { isAlive } from "./isAlive.ts"

describe("EmbeddedPostgres, shared", () => {
  it.live("starts on demand, durable, on loopback, and stops when its only user leaves", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder
      const used = Effect.gen(function* () {
        const { url } = yield* EmbeddedPostgres.acquire({ dataDir })
        const settings = yield* query(
          url,
          `select current_database(), current_setting('server_encoding'), current_setting('timezone'),
             current_setting('data_checksums'), current_setting('listen_addresses'), current_setting('fsync'),
             current_setting('synchronous_commit'), upper('é')`
        )
        assert.deepStrictEqual(settings, [["clicks", "UTF8", "UTC", "on", "127.0.0.1", "on", "on", "É"]])
        return postmasterPid(dataDir)
      })
      const pid = yield* Effect.scoped(used)
      yield* until(() => !isAlive(pid))
      assert.strictEqual(statSync(join(dataDir, "postgres-password")).mode & 0o777, 0o600)
    })
  )

  it.live("is created once if two processes start at the same time", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder
      const holders = yield* Effect.replicateEffect(spawnHolder(dataDir), 2)
      const urls = yield* Effect.forEach(holders, ({ said }) => said, { concurrency: "unbounded" })
      assert.strictEqual(new Set(urls).size, 1)
      const pid = postmasterPid(dataDir)
      // At the same time, so that a race decides which one leaves last.
      const codes = yield* Effect.forEach(holders, ({ leave }) => leave, { concurrency: "unbounded" })
      assert.deepStrictEqual(codes, [0, 0])
      yield* until(() => !isAlive(pid))
    })
  )

  it.live("runs in a private folder whose name has shell metacharacters", () =>
    Effect.gen(function* () {
      const dataDir = join(yield* temporaryFolder, `it's "$HOME" ü`)
      const { url } = yield* EmbeddedPostgres.acquire({ dataDir, settings: quick })
      assert.deepStrictEqual(yield* query(url, "select 1"), [[1]])
      assert.isTrue(existsSync(join(dataDir, "postgres", "PG_VERSION")))
    })
  )
})

layer(MadeFolder.layer, { excludeTestServices: true })("EmbeddedPostgres, with several users", (it) => {
  it.effect("keeps running for a second process when the one that started it leaves", () =>
    Effect.gen(function* () {
      const dataDir = yield* MadeFolder
      const first = yield* holder(dataDir)
      const pid = postmasterPid(dataDir)
      const second = yield* holder(dataDir)
      assert.deepStrictEqual(second.url, first.url)

      assert.strictEqual(yield* first.leave, 0)
      assert.deepStrictEqual(yield* query(second.url, "select 1"), [[1]])
      assert.strictEqual(postmasterPid(dataDir), pid)

      assert.strictEqual(yield* second.leave, 0)
      yield* until(() => !isAlive(pid))
    })
  )

  it.effect("counts users within one process", () =>
    Effect.gen(function* () {
      const dataDir = yield* MadeFolder
      const { url } = yield* EmbeddedPostgres.acquire({ dataDir, settings: quick })
      yield* Effect.scoped(EmbeddedPostgres.acquire({ dataDir, settings: quick }))
      assert.deepStrictEqual(yield* query(url, "select 1"), [[1]])
    })
  )
})
