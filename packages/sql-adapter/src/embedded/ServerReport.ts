import type { DataFolder } from "./DataFolder.ts"
import { diskFull, EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"

/** What PostgreSQL's own words, from its log or its error output, mean for the operator. */
export const toError = (folder: DataFolder, words: string): EmbeddedPostgresError => {
  if (/No space left on device|Disk quota exceeded/.test(words)) return diskFull(folder.path)

  const versions = /initialized by PostgreSQL version (\d+).*not compatible with this version (\d+)/.exec(
    words
  )
  if (versions !== null) {
    return new EmbeddedPostgresError({
      reason: "OtherVersion",
      message: `The database in ${folder.path} was created by PostgreSQL ${versions[1]}, but this is PostgreSQL ${versions[2]}. Export it with the Clicks version that created it and import it into a new folder.`
    })
  }

  const account = /could not look up effective user ID (\d+)/.exec(words)
  if (account !== null) {
    return new EmbeddedPostgresError({
      reason: "Unsupported",
      message: `PostgreSQL requires a named user account, but uid ${account[1]} has none. Add it to /etc/passwd, or set DATABASE_URL to a PostgreSQL server.`
    })
  }

  const complaint =
    /^.*?(?:FATAL|PANIC|error|ERROR): +(.*)$/m.exec(words)?.[1] ?? words.trim().split("\n").at(-1)
  return new EmbeddedPostgresError({
    reason: "StartFailed",
    message: `The embedded PostgreSQL did not start (${complaint || "no output"}). See ${folder.log}.`
  })
}

/**
 * Reasons that pass by themselves: the port went to somebody else since it was looked at, or the last server of the cluster
 * is not gone altogether (one that a killed process was still starting, or back ends whose postmaster was killed).
 */
export const isPassing = (words: string): boolean =>
  /could not bind IPv4 address|lock file ".*" (?:already exists|is empty)|pre-existing shared memory block/.test(
    words
  )
