import { constants } from "node:fs"
import { access, lstat, stat, statfs } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect } from "effect"
import { Settings } from "../../settings/Settings.ts"
import { broken, type Finding, ok, warning } from "./Finding.ts"

const neededNode = 24

export const nodeCheck: Effect.Effect<Finding> = Effect.sync(() => {
  const { node } = process.versions
  return Number.parseInt(node, 10) >= neededNode
    ? ok("node", node)
    : broken("node", node, `Use Node ${neededNode} or newer: npm install installs it`)
})

const scarceBytes = 1024 ** 3

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

/** The folder itself, or the nearest above it that exists. A link that leads nowhere exists and can hold nothing. */
const existing = async (folder: string): Promise<string> =>
  lstat(folder).then(
    () => folder,
    () => (dirname(folder) === folder ? folder : existing(dirname(folder)))
  )

/** The data folder, also beside a database elsewhere: the spool is kept there. */
export const dataFolderCheck: Effect.Effect<Finding, never, Settings> = Effect.gen(function* () {
  const { dataDir } = yield* Settings
  const name = "data folder"
  return yield* Effect.tryPromise(async () => {
    const folder = await existing(dataDir)
    await stat(folder)
    await access(folder, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    const detail = `${dataDir}, ${gigabytes(free)} free${folder === dataDir ? "" : ", not created yet"}`
    return free < scarceBytes
      ? warning(name, detail, "Free disk space, or set CLICKS_DATA_DIR to a folder on another disk")
      : ok(name, detail)
  }).pipe(
    Effect.orElseSucceed(() =>
      broken(
        name,
        `${dataDir} is not writable`,
        "Fix its permissions, or set CLICKS_DATA_DIR to another folder"
      )
    )
  )
})
