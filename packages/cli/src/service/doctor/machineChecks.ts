import { once } from "node:events"
import { constants } from "node:fs"
import { access, lstat, stat, statfs } from "node:fs/promises"
import { createServer } from "node:net"
import { dirname } from "node:path"
import { Effect } from "effect"
import { Settings } from "../../settings/Settings.ts"
import { broken, type Finding, ok, warningIf } from "./Finding.ts"

const minFreeBytes = 1024 ** 3

/** The folder, or the nearest one above it that exists. A dangling link exists but cannot contain anything. */
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

/** The data folder. With a database elsewhere, it contains the spool. */
export const dataFolderCheck = Effect.gen(function* () {
  const { dataDir } = yield* Settings
  const check = "data folder"
  const advice = "Fix its permissions, or set CLICKS_DATA_DIR to another folder"
  return yield* Effect.tryPromise(() => inspectFolder(check, dataDir)).pipe(
    Effect.orElseSucceed(() => broken(check, `${dataDir} is not writable`, advice))
  )
})

/** The code of the error when listening; undefined if listening works. */
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

/** Whether the program that listens there is Clicks. */
const isClicks = async (host: string, port: number): Promise<boolean> => {
  const name = host.includes(":") ? `[${host}]` : host
  const response = await fetch(`http://${name}:${port}/livez`, { signal: AbortSignal.timeout(2000) })
  const body: unknown = await response.json()
  return typeof body === "object" && body !== null && "status" in body && body.status === "ok"
}

export const portCheck = Effect.gen(function* () {
  const { host, port } = yield* Settings
  const address = `${host}:${port}`
  const error = yield* Effect.promise(() => listenError(host, port))
  if (error === undefined) return ok("port", `${address} is free`)
  if (error !== "EADDRINUSE") {
    return broken("port", `cannot listen on ${address} (${error})`, "Set HOST or PORT to another value")
  }
  const isOurs = yield* Effect.promise(() => isClicks(host, port).catch(() => false))
  return isOurs
    ? ok("port", `Clicks is running on ${address}`)
    : broken("port", `${address} is in use by another program`, "Stop it, or set PORT to another port")
})
