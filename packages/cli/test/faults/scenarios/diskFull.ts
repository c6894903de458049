import { rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { DatabaseProxy } from "../../../../sql-adapter/test/DatabaseProxy.ts"
import { ServerDisk } from "../OwnServer.ts"
import { isSabotaged, scale } from "../Scale.ts"
import { acknowledged, atMost, spooled, stored, Trial, underLoad, until } from "../Trial.ts"

const times = scale(1, 10)
const megabyte = 1024 ** 2

// The timeout for steps that a sabotaged service never completes.
const timeout = scale(isSabotaged ? 30_000 : 60_000, 120_000)

const freeBytes = (path: string): number => {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}

// A batch that does not fit uses up the remaining space, and frees it for the next batch.
const nearlyFull = 64 * 1024

/** Takes this many bytes of the disk, or all that are left: PostgreSQL writes meanwhile. */
const fill = (file: string, bytes: number): void => {
  try {
    writeFileSync(file, new Uint8Array(bytes))
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error
  }
}

/** Waits until this many more clicks have a response of any kind. */
const answered = (clicks: number) =>
  Trial.use(({ witness }) => {
    const count = () => witness.acknowledged + witness.told.dropped
    const before = count()
    return until(() => count() >= before + clicks)
  })

/** The size of the spool's disk for `spoolDiskFull`. Without the ballast, there is room even beside a spool file that has grown. */
export const spoolDiskBytes = 32 * megabyte

/**
 * `ENOSPC` for the spool while the database is unavailable: clicks that cannot be spooled are reported as dropped. The last time, the disk
 * stays full, and the spooled clicks must be stored all the same.
 */
export const spoolDiskFull = underLoad(
  { batches: 2 },
  Effect.gen(function* () {
    const proxy = yield* DatabaseProxy
    const { folder, witness } = yield* Trial
    const ballast = join(folder, "ballast")
    for (let time = 0; time < times; time++) {
      yield* acknowledged(300)
      writeFileSync(ballast, new Uint8Array(Math.max(0, freeBytes(folder) - megabyte)))
      yield* proxy.stop
      yield* until(() => freeBytes(folder) < nearlyFull)
      yield* answered(300)
      if (time < times - 1) {
        rmSync(ballast)
        const later = witness.told.spooled
        yield* until(() => witness.told.spooled > later + 100)
      }
      yield* proxy.start
      yield* stored(300)
    }
    return times
  })
)

/** `ENOSPC` for PostgreSQL, which rejects statements or panics until there is room. */
export const databaseDiskFull = underLoad(
  { batches: 2 },
  Effect.gen(function* () {
    const { path } = yield* ServerDisk
    const ballast = join(path, "ballast")
    for (let time = 0; time < times; time++) {
      yield* stored(300)
      fill(ballast, freeBytes(path))
      yield* atMost(timeout, spooled(300))
      rmSync(ballast)
      yield* stored(300)
    }
    return times
  })
)
