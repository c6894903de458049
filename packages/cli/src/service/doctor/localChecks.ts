import { once } from "node:events"
import { constants } from "node:fs"
import { access, lstat, stat, statfs } from "node:fs/promises"
import { createServer } from "node:net"
import { dirname } from "node:path"
import { Spool, type SpoolStatus } from "@clicks/core/clicks/recording/Spool"
import { Clock, Effect } from "effect"
import * as SpoolLayer from "../../clicks/SpoolLayer.ts"
import { messageWithCause } from "../../process/describeFailure.ts"
import { Settings } from "../../settings/Settings.ts"
import { countOf } from "../../terminal/format.ts"
import { isRunning, serviceUrl } from "../serviceUrl.ts"

/** The result of a check with advice, unless the status is `ok`. `warning`: works for now; `broken`: does not work. */
export interface Finding {
  readonly check: string
  readonly status: "ok" | "warning" | "broken"
  readonly detail: string
  readonly advice?: string
}

const ok = (check: string, detail: string): Finding => ({ check, status: "ok", detail })

export const broken = (check: string, detail: string, advice: string): Finding => ({
  check,
  status: "broken",
  detail,
  advice
})

export const warningIf = (isWarning: boolean, check: string, detail: string, advice: string): Finding =>
  isWarning ? { check, status: "warning", detail, advice } : ok(check, detail)

const minFreeBytes = 1024 ** 3

/** The folder, or its nearest ancestor that exists. A dangling link counts as existing: no folder can be created in its place. */
const existing = async (folder: string): Promise<string> =>
  lstat(folder).then(
    () => folder,
    () => (dirname(folder) === folder ? folder : existing(dirname(folder)))
  )

const inspectFolder = async (check: string, dataDir: string): Promise<Finding> => {
  const folder = await existing(dataDir)
  await stat(folder)
  await access(folder, constants.W_OK | constants.X_OK)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  return warningIf(
    free < minFreeBytes,
    check,
    `${dataDir}, ${(free / 1e9).toFixed(1)} GB free${folder === dataDir ? "" : ", not created yet"}`,
    "Free disk space, or set CLICKS_DATA_DIR to a folder on another disk"
  )
}

/** Checks the data folder, which also contains the spool if the database is elsewhere. */
export const dataFolderCheck = Effect.gen(function* () {
  const { dataDir } = yield* Settings
  const check = "data folder"
  const advice = "Fix its permissions, or set CLICKS_DATA_DIR to another folder"
  return yield* Effect.tryPromise(() => inspectFolder(check, dataDir)).pipe(
    Effect.orElseSucceed(() => broken(check, `${dataDir} is not writable`, advice))
  )
})

/** The error code if listening fails, else undefined. */
const listenError = async (host: string, port: number): Promise<string | undefined> => {
  const server = createServer().listen({ host, port, exclusive: true })
  try {
    await once(server, "listening")
    server.close()
    return undefined
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error)
  }
}

export const portCheck = Effect.gen(function* () {
  const settings = yield* Settings
  const { host, port } = settings
  const address = `${host}:${port}`
  const error = yield* Effect.promise(() => listenError(host, port))
  if (error === undefined) return ok("port", `${address} is free`)
  if (error !== "EADDRINUSE") {
    return broken("port", `cannot listen on ${address} (${error})`, "Set HOST or PORT to another value")
  }
  return (yield* Effect.promise(() => isRunning(serviceUrl(settings))))
    ? ok("port", `Clicks is running on ${address}`)
    : broken("port", `${address} is in use by another program`, "Stop it, or set PORT to another port")
})

// After an outage, the drain stores waiting clicks within seconds.
const longMillis = 60_000
const crowdedShare = 0.8

const spoolFinding = (status: SpoolStatus, now: number): Finding => {
  const { bytes, depth, disk_full, max_bytes, oldest, set_aside } = status
  const share = bytes / max_bytes
  const detail = `${countOf(depth, "click")} waiting, ${(share * 100).toFixed(1)}% of its space used`
  const warn = (what: string, advice: string) => warningIf(true, "spool", `${detail}${what}`, advice)
  if (disk_full) {
    const advice = "Free disk space. Until then, clicks are dropped while the database is unavailable"
    return broken("spool", `${detail}; its disk is full`, advice)
  }
  if (set_aside > 0) {
    const advice = 'Run "clicks spool check" to see what was lost, then delete the damaged files'
    return warn(`; ${countOf(set_aside, "damaged file")} set aside`, advice)
  }
  if (share > crowdedShare)
    return warn(
      "",
      "When it is full, clicks are dropped. Check the database, or increase CLICKS_SPOOL_MAX_BYTES"
    )
  if (oldest === null || now - oldest.getTime() <= longMillis) return ok("spool", detail)
  const advice =
    'Check the database. When it responds, a running service stores the clicks; without a service, run "clicks spool drain"'
  return warn(`, oldest from ${oldest.toISOString()}`, advice)
}

/** The spool in the data folder. */
export const spoolCheck = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const advice = "Fix the permissions of its folder, or free disk space"
  return yield* Spool.use((spool) => spool.status).pipe(
    Effect.map((status) => spoolFinding(status, now)),
    Effect.provide(SpoolLayer.layer),
    Effect.catch((error) => Effect.succeed(broken("spool", messageWithCause(error), advice)))
  )
})
