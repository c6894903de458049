import { spawnSync } from "node:child_process"
import { readFileSync, statSync } from "node:fs"
import { Effect } from "effect"
import { type DataFolder, hasCluster } from "./DataFolder.ts"
import { type EmbeddedPostgresError, folderUnusable, fromFileError } from "./EmbeddedPostgresError.ts"
import type { PostgresBinaries } from "./PostgresBinaries.ts"

export interface Owner {
  readonly uid: number
  readonly gid: number
}

export interface Command {
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly as: Partial<Owner>
}

/** The system account that the server runs as. PostgreSQL refuses root, so root lends it an account without privileges. */
export interface ServerAccount {
  /** Owner of the server's files; undefined where the server runs as the user of this process. */
  readonly owner: Owner | undefined
  readonly command: (program: string, args: ReadonlyArray<string>) => Command
}

const own: ServerAccount = { owner: undefined, command: (file, args) => ({ file, args, as: {} }) }

const plain = (owner: Owner): ServerAccount => ({
  owner,
  command: (file, args) => ({ file, args, as: owner })
})

/**
 * The account, with one capability: to pass through folders that are closed to it, such as the /root (mode 0700) that a root
 * checkout often lies in. `no_setuid_fixup` makes it hold for access(2) too, which PostgreSQL asks before it runs a program.
 */
const passing = (owner: Owner, capability: string): ServerAccount => ({
  owner,
  command: (program, args) => ({
    file: "setpriv",
    args: [
      `--reuid=${owner.uid}`,
      `--regid=${owner.gid}`,
      "--clear-groups",
      "--securebits=+no_setuid_fixup",
      `--inh-caps=+${capability}`,
      `--ambient-caps=+${capability}`,
      program,
      ...args
    ],
    as: {}
  })
})

/** Accounts that systems have for this, best first. initdb wants one with a name, so an arbitrary number will not do. */
const lent = ["postgres", "_postgres", "nobody"]

const lentOwner = (): Owner | undefined => {
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  return lent
    .map((name) => accounts.find((fields) => fields[0] === name))
    .filter((fields) => fields !== undefined)
    .map((fields) => ({ uid: Number(fields[2]), gid: Number(fields[3]) }))[0]
}

const clusterOwner = (folder: DataFolder): Owner | undefined => {
  if (!hasCluster(folder)) return undefined
  const { uid, gid } = statSync(folder.cluster)
  return uid === 0 ? undefined : { uid, gid }
}

const reaches = (account: ServerAccount, paths: ReadonlyArray<string>): boolean => {
  const { file, args, as } = account.command("/bin/sh", ["-c", 'test -x "$0" && test -x "$1"', ...paths])
  return spawnSync(file, args, { ...as, cwd: "/", stdio: "ignore" }).status === 0
}

/** Which account runs the server; `FolderUnusable` when none can reach both its programs and its data. */
export const choose = (
  folder: DataFolder,
  binaries: PostgresBinaries
): Effect.Effect<ServerAccount, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    if (process.getuid?.() !== 0) return own
    const owner = yield* Effect.try({
      try: () => clusterOwner(folder) ?? lentOwner(),
      catch: fromFileError(folder.path)
    })
    if (owner === undefined) {
      return yield* folderUnusable(
        `PostgreSQL does not run as root, and there is no user postgres or nobody to run it as. Run Clicks as an ordinary user.`
      )
    }
    const paths = [binaries.postgres, folder.path]
    // dac_read_search only reads and passes; containers mostly have just dac_override.
    const account = [plain(owner), passing(owner, "dac_read_search"), passing(owner, "dac_override")].find(
      (candidate) => reaches(candidate, paths)
    )
    if (account !== undefined) return account
    return yield* folderUnusable(
      `PostgreSQL does not run as root, and uid ${owner.uid}, which runs it, cannot access both ${paths.join(" and ")}. Move Clicks and its data out of root's folders, or run Clicks as an ordinary user.`
    )
  })
