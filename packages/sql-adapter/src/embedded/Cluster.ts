import { randomBytes } from "node:crypto"
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  lchownSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import type { DataFolder } from "./DataFolder.ts"
import { fromFileError } from "./EmbeddedPostgresError.ts"
import type { PostgresBinaries } from "./PostgresBinaries.ts"
import type { Owner, ServerAccount } from "./ServerAccount.ts"
import * as ServerProgram from "./ServerProgram.ts"

/** The role that Clicks logs in as. It owns the database and has no other privileges. */
export const username = "clicks"
export const database = "clicks"

// Sets the cluster up, and has no password afterwards: only PostgreSQL's single-user mode, which needs no login, gets to it.
const superuser = "postgres"

/** Written into the new cluster's postgresql.conf, where an operator can change them afterwards. */
const configuration: Readonly<Record<string, string>> = {
  fsync: "on",
  synchronous_commit: "on",
  max_connections: "100",
  shared_buffers: "256MB",
  max_wal_size: "2GB",
  // Segments of the log that are kept to be written again need no zeros.
  min_wal_size: "256MB",
  wal_compression: "on",
  timezone: "UTC",
  log_timezone: "UTC",
  // A refused statement holds a visitor's data; the message without it is enough.
  log_min_error_statement: "panic"
}

// Megabytes. A new segment is filled with zeros and synced while everybody who commits waits: 50 ms for the usual 16, every two
// seconds at 6,500 clicks/s. With them the slowest hundredth of the clicks took 50 ms, with 2 it takes 10 to 25.
const walSegment = 2

const unfinished = "postgres-new-"

/**
 * Removes what killed first starts left. Best effort: an initdb whose starter was killed may still be writing there, and a
 * later start comes by again.
 */
export const removeUnfinished = (folder: DataFolder): void => {
  for (const name of readdirSync(folder.path).filter((name) => name.startsWith(unfinished))) {
    try {
      rmSync(join(folder.path, name), { recursive: true, force: true })
    } catch {}
  }
}

const setUp = (password: string): string =>
  [
    `alter role ${superuser} password null`,
    `create role ${username} login password '${password}'`,
    `create database ${database} owner ${username}`,
    ""
  ].join("\n")

const prepare = (folder: DataFolder, password: string, owner: Owner | undefined): string => {
  writeFileSync(folder.passwordFile, password, { mode: 0o600, flush: true })
  const fresh = mkdtempSync(join(folder.path, unfinished))
  if (owner !== undefined) {
    for (const path of [folder.passwordFile, fresh]) chownSync(path, owner.uid, owner.gid)
  }
  return fresh
}

const finish = (folder: DataFolder, fresh: string): void => {
  renameSync(fresh, folder.cluster)
  // Windows cannot open a folder to sync it.
  if (process.platform === "win32") return
  const descriptor = openSync(folder.path, "r")
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/**
 * Makes the cluster beside its place and moves it there when it is whole, so that whoever is killed meanwhile leaves
 * nothing half. `durable: false` leaves out the syncs, for tests.
 */
export const create = Effect.fn("Cluster.create")(function* (
  folder: DataFolder,
  binaries: PostgresBinaries,
  account: ServerAccount,
  durable: boolean
) {
  const password = randomBytes(24).toString("hex")
  const fresh = yield* Effect.try({
    try: () => prepare(folder, password, account.owner),
    catch: fromFileError(folder.path)
  })
  const initdb = [
    `--pgdata=${fresh}`,
    `--username=${superuser}`,
    `--pwfile=${folder.passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--data-checksums",
    `--wal-segsize=${walSegment}`,
    ...(durable ? [] : ["--no-sync"]),
    ...Object.entries(configuration).map(([name, value]) => `--set=${name}=${value}`)
  ]
  const single = ["--single", "-D", fresh, "-c", "exit_on_error=on", ...(durable ? [] : ["-F"]), "postgres"]
  const run = Effect.andThen(
    ServerProgram.run(folder, { account, program: binaries.initdb, args: initdb }),
    ServerProgram.run(folder, { account, program: binaries.postgres, args: single }, setUp(password))
  )
  // A disk that was too small would stay full of it.
  yield* Effect.tapError(run, () => Effect.sync(() => removeUnfinished(folder)))
  yield* Effect.try({ try: () => finish(folder, fresh), catch: fromFileError(folder.cluster) })
})

/**
 * Gives the cluster back the owner and the mode that PostgreSQL insists on, which a copy or a restored backup often lost.
 */
export const own = (folder: DataFolder, owner: Owner | undefined): void => {
  if (owner !== undefined && statSync(folder.cluster).uid !== owner.uid) {
    for (const name of ["", ...readdirSync(folder.cluster, { encoding: "utf8", recursive: true })]) {
      lchownSync(join(folder.cluster, name), owner.uid, owner.gid)
    }
  }
  chmodSync(folder.cluster, 0o700)
}
