import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { Effect, Redacted } from "effect"
import { makeFolder } from "../makeFolder.ts"
import { type EmbeddedPostgresError, fromFileError, unavailable } from "./EmbeddedPostgresError.ts"

/** The paths of the embedded PostgreSQL. The folder can be moved while no process uses it. */
export interface DataFolder {
  readonly path: string
  /** PostgreSQL's data directory. Exists only when it is complete. */
  readonly cluster: string
  readonly log: string
  readonly passwordFile: string
  /** The port of the last start, which the next one reuses. */
  readonly portFile: string
  /** Locked exclusively to start or stop the server. */
  readonly startStopLock: string
  /** Locked in shared mode by all processes that use the server. */
  readonly usersLock: string
}

const paths = (path: string): DataFolder => ({
  path,
  cluster: join(path, "postgres"),
  log: join(path, "postgres.log"),
  passwordFile: join(path, "postgres-password"),
  portFile: join(path, "postgres-port"),
  startStopLock: join(path, "postgres-start.lock"),
  usersLock: join(path, "postgres-users.lock")
})

/** Whether a database was created in the folder. Creates nothing. */
export const hasDatabase = (dataDir: string): boolean => existsSync(paths(resolve(dataDir)).cluster)

export const hasCluster = (folder: DataFolder): boolean => existsSync(join(folder.cluster, "PG_VERSION"))

/** Creates the folder if it is missing. */
export const open = Effect.fnUntraced(function* (dataDir: string) {
  const folder = paths(resolve(dataDir))
  const self = process.getuid?.()
  const owner = yield* Effect.try({
    try: () => {
      // If this process is root, the server runs as another user, which must be able to pass through the folder but not to list it.
      makeFolder(folder.path, self === 0 ? 0o711 : 0o700)
      accessSync(folder.path, constants.W_OK | constants.X_OK)
      return hasCluster(folder) ? statSync(folder.cluster).uid : undefined
    },
    catch: fromFileError(folder.path)
  })
  if (owner !== undefined && self !== undefined && self !== 0 && owner !== self) {
    return yield* unavailable(
      `The database in ${folder.path} belongs to another user (uid ${owner}). Run Clicks as that user, or set CLICKS_DATA_DIR to another folder.`
    )
  }
  return folder
})

/** The password of the existing cluster. Fails if its file cannot be read. */
export const password = (folder: DataFolder): Effect.Effect<Redacted.Redacted, EmbeddedPostgresError> =>
  Effect.try({
    try: () => Redacted.make(readFileSync(folder.passwordFile, "utf8").trim()),
    catch: () =>
      unavailable(
        `The password file ${folder.passwordFile} cannot be read. Restore it from a backup, or move ${folder.cluster} away to start with an empty database.`
      )
  })
