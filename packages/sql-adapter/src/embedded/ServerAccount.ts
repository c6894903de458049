import { spawnSync } from "node:child_process"
import { readFileSync, statSync } from "node:fs"
import { Effect } from "effect"
import { type DataFolder, hasCluster } from "./DataFolder.ts"
import { type EmbeddedPostgresError, fromFileError, unavailable } from "./EmbeddedPostgresError.ts"

export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** The system account that runs the server. PostgreSQL refuses to run as root, so root uses an unprivileged account. */
export interface ServerAccount {
  /** The owner of the server's files; undefined if the user of this process runs the server. */
  readonly owner: Owner | undefined
  /** Options of `spawn` that switch to the account. */
  readonly as: Partial<Owner>
  /** A command that switches to the account and then runs the command that follows it. */
  readonly prefix: ReadonlyArray<string>
}

/**
 * The account with one capability: passing through folders that are closed to it, such as /root (mode 0700), where root often installs
 * programs. `no_setuid_fixup` extends the capability to access(2), which PostgreSQL calls before it runs a program.
 */
const withCapability = (owner: Owner, capability: string): ServerAccount => ({
  owner,
  as: {},
  prefix: [
    "setpriv",
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    "--clear-groups",
    "--securebits=+no_setuid_fixup",
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`
  ]
})

/** Unprivileged accounts of common systems, best first. initdb requires a named account. */
const unprivileged = ["postgres", "_postgres", "nobody"]

const unprivilegedOwner = (): Owner | undefined => {
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  const found = unprivileged.flatMap((name) => accounts.filter((fields) => fields[0] === name))[0]
  return found && { uid: Number(found[2]), gid: Number(found[3]) }
}

const clusterOwner = (folder: DataFolder): Owner | undefined => {
  if (!hasCluster(folder)) return undefined
  const { uid, gid } = statSync(folder.cluster)
  return uid === 0 ? undefined : { uid, gid }
}

const canReach = ({ as, prefix }: ServerAccount, paths: ReadonlyArray<string>): boolean => {
  const [file = "", ...args] = [...prefix, "/bin/sh", "-c", 'test -x "$0" && test -x "$1"', ...paths]
  return spawnSync(file, args, { ...as, cwd: "/", stdio: "ignore" }).status === 0
}

/** Chooses the account that runs `program`. Fails if no account can reach both the program and the data. */
export const choose = (
  folder: DataFolder,
  program: string
): Effect.Effect<ServerAccount, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    if (process.getuid?.() !== 0) return { owner: undefined, as: {}, prefix: [] }
    const owner = yield* Effect.try({
      try: () => clusterOwner(folder) ?? unprivilegedOwner(),
      catch: fromFileError(folder.path)
    })
    if (owner === undefined) {
      return yield* unavailable(
        "PostgreSQL does not run as root, and there is no user postgres or nobody to run it as. Run Clicks as an ordinary user."
      )
    }
    const paths = [program, folder.path]
    // dac_read_search only allows reading and passing through, but most containers have only dac_override.
    const account = [
      { owner, as: owner, prefix: [] },
      withCapability(owner, "dac_read_search"),
      withCapability(owner, "dac_override")
    ].find((candidate) => canReach(candidate, paths))
    if (account !== undefined) return account
    return yield* unavailable(
      `PostgreSQL does not run as root, and uid ${owner.uid}, which runs it, cannot access both ${paths.join(" and ")}. Move Clicks and its data out of root's folders, or run Clicks as an ordinary user.`
    )
  })
