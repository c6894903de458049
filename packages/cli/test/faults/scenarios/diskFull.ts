import { rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { DatabaseProxy } from "../../../../sql-adapter/test/DatabaseProxy.ts"
import { ServerDisk } from "../OwnServer.ts"
import { scale } from "../Scale.ts"
import { acknowledged, atMost, spooled, stored, Trial, underLoad, until } from "../Trial.ts"

const times = scale(1, 10)
const megabyte = 1024 ** 2

// The first clicks wait two seconds for the database, and some thousand fill the disk.
const patience = scale(15_000, 60_000)

/** As large as the spool's disk must be for `spoolDiskFull`. */
export const spoolDiskBytes = 4 * megabyte

/** `ENOSPC` under the spool, while the database is away: what cannot be kept is dropped and told so. */
export const spoolDiskFull = underLoad(
  { batches: 2 },
  Effect.gen(function* () {
    const proxy = yield* DatabaseProxy
    const { folder, witness } = yield* Trial
    const ballast = join(folder, "ballast")
    for (let time = 0; time < times; time++) {
      yield* acknowledged(300)
      writeFileSync(ballast, new Uint8Array(2.5 * megabyte))
      const before = witness.told
      yield* proxy.stop
      yield* atMost(
        patience,
        until(() => witness.told.dropped > before.dropped + 100 && witness.told.spooled > before.spooled)
      )
      rmSync(ballast)
      const later = witness.told.spooled
      yield* until(() => witness.told.spooled > later + 100)
      yield* proxy.start
      yield* stored(300)
    }
    return times
  })
)

const freeBytes = (path: string): number => {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}

/** `ENOSPC` under PostgreSQL, which refuses statements, or ends in panic, until there is room. */
export const databaseDiskFull = underLoad(
  { batches: 2 },
  Effect.gen(function* () {
    const { path } = yield* ServerDisk
    const ballast = join(path, "ballast")
    for (let time = 0; time < times; time++) {
      yield* stored(300)
      writeFileSync(ballast, new Uint8Array(freeBytes(path)))
      yield* atMost(patience, spooled(300))
      rmSync(ballast)
      yield* stored(300)
    }
    return times
  })
)
