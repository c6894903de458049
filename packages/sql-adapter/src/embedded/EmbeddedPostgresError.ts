import { Schema } from "effect"

/**
 * Why the embedded PostgreSQL is not available. The message is one line for the operator and says what to do.
 *
 * - `FolderUnusable`: the data folder is a file, is not writable, has another owner, or is out of the server's reach.
 * - `DiskFull`: the disk of the data folder is full.
 * - `OtherVersion`: another major version of PostgreSQL created the data.
 * - `Unsupported`: PostgreSQL's programs are missing, or do not run on this system.
 * - `Damaged`: a file of the data folder is missing or does not match the others.
 * - `Busy`: another process has been starting or stopping the server for too long.
 * - `StartFailed`: any other reason; the message quotes PostgreSQL and names its log.
 */
export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()(
  "EmbeddedPostgresError",
  {
    reason: Schema.Literals([
      "FolderUnusable",
      "DiskFull",
      "OtherVersion",
      "Unsupported",
      "Damaged",
      "Busy",
      "StartFailed"
    ]),
    message: Schema.String
  }
) {}

const error = (reason: EmbeddedPostgresError["reason"], message: string) =>
  new EmbeddedPostgresError({ reason, message })

export const folderUnusable = (message: string) => error("FolderUnusable", message)

const diskFull = (path: string) =>
  error("DiskFull", `The disk of ${path} is full. Free disk space and try again.`)

/** The error for a failed file operation at or below `path`. */
export const fromFileError =
  (path: string) =>
  (cause: unknown): EmbeddedPostgresError => {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error"
    const elsewhere = "or set CLICKS_DATA_DIR to another folder"
    switch (code) {
      case "EEXIST":
      case "ENOTDIR":
        return folderUnusable(`The data folder ${path} is a file. Move it ${elsewhere}.`)
      case "EACCES":
      case "EPERM":
        return folderUnusable(
          `The data folder ${path} is not writable for this user. Fix its permissions ${elsewhere}.`
        )
      case "EROFS":
        return folderUnusable(
          `The data folder ${path} is on a read-only file system. Make it writable ${elsewhere}.`
        )
      case "ENOSPC":
      case "EDQUOT":
        return diskFull(path)
      default:
        return folderUnusable(`Cannot use the data folder ${path} (${code}). Repair it ${elsewhere}.`)
    }
  }

/** The error for a failed program of PostgreSQL, from its output or log. */
export const fromOutput = (
  folder: { readonly path: string; readonly log: string },
  output: string
): EmbeddedPostgresError => {
  if (/No space left on device|Disk quota exceeded/.test(output)) return diskFull(folder.path)
  const [, theirs, ours] =
    /initialized by PostgreSQL version (\d+).*not compatible with this version (\d+)/.exec(output) ?? []
  if (theirs !== undefined) {
    return error(
      "OtherVersion",
      `The database in ${folder.path} was created by PostgreSQL ${theirs}, but this is PostgreSQL ${ours}. Export it with the Clicks version that created it and import it into a new folder.`
    )
  }
  const [, uid] = /could not look up effective user ID (\d+)/.exec(output) ?? []
  if (uid !== undefined) {
    return error(
      "Unsupported",
      `PostgreSQL requires a named user account, but uid ${uid} has none. Add it to /etc/passwd, or set DATABASE_URL to a PostgreSQL server.`
    )
  }
  const complaint =
    /^.*?(?:FATAL|PANIC|error|ERROR): +(.*)$/m.exec(output)?.[1] ?? output.trim().split("\n").at(-1)
  return error(
    "StartFailed",
    `The embedded PostgreSQL did not start (${complaint || "no output"}). See ${folder.log}.`
  )
}
