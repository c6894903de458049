import { Schema } from "effect"

/**
 * Why the embedded PostgreSQL cannot be had. The message is one sentence for the operator and says what to do.
 *
 * - `FolderUnusable`: the data folder is a file, is not writable, is somebody else's, or cannot be reached by the server.
 * - `DiskFull`: no space is left where the data folder is.
 * - `OtherVersion`: the data was made by another major version of PostgreSQL.
 * - `Unsupported`: there are no programs for this machine, or they do not run on it.
 * - `Damaged`: something that the data folder held is missing or does not fit the rest.
 * - `Busy`: another process has been starting or stopping the database for too long.
 * - `StartFailed`: PostgreSQL did not start for another reason; the message carries its own words and names its log.
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

export const folderUnusable = (message: string) =>
  new EmbeddedPostgresError({ reason: "FolderUnusable", message })

export const diskFull = (path: string) =>
  new EmbeddedPostgresError({
    reason: "DiskFull",
    message: `The disk of ${path} is full. Free disk space and try again.`
  })
